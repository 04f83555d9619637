package dev.reflector.cache.internal.loop;

import java.util.random.RandomGenerator;

import dev.reflector.ReflectorStatus;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.MirroredSlots;
import org.jspecify.annotations.Nullable;

/**
 * What a loop works with.
 *
 * @param <T> the type of the objects
 * @param listerWatcher source of lists and watches
 * @param accessor reads metadata
 * @param options behaviour
 * @param observer observes the work
 * @param time source of time
 * @param random source of jitter
 * @param slots the slots that are mirrored, {@code null} for the whole collection
 */
public record LoopSetup<T>(ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorObserver observer, TimeSource time, RandomGenerator random, @Nullable MirroredSlots slots) {

	/** Whether defects of client-go are kept. */
	public boolean clientGo() {
		return this.options.compatibility() == Compatibility.CLIENT_GO;
	}

	/** The generation of the slots that a request asks for from now on. */
	long generation() {
		MirroredSlots slots = this.slots;
		return (slots != null) ? slots.generation() : 0;
	}

	/**
	 * How many times as much as belongs to the mirror may come in one answer, because the
	 * server need not leave out the objects of other shards. Shares are not equal, so
	 * twice that is allowed.
	 */
	int answersPerMirror() {
		MirroredSlots slots = this.slots;
		if (slots != null) {
			int own = Math.max(1, slots.share().slots().size());
			return 2 * (slots.slots().count() / own + 1);
		}
		ReflectorStatus.Shard shard = this.listerWatcher.shard();
		return (shard == null) ? 1 : 2 * ((shard.count() != null) ? shard.count() : 1);
	}

}
