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
 * The source, the settings and the tools of a loop.
 *
 * @param <T> the type of the objects
 * @param listerWatcher source of lists and watches
 * @param accessor reads metadata
 * @param options how the loop behaves
 * @param observer observes the work
 * @param time source of time
 * @param random source of jitter
 * @param slots the slots that are mirrored, {@code null} for the whole collection
 */
public record LoopSetup<T>(ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorObserver observer, TimeSource time, RandomGenerator random, @Nullable MirroredSlots slots) {

	/** Whether the loop is in client-go's mode, which keeps the defects of client-go. */
	public boolean clientGo() {
		return this.options.compatibility() == Compatibility.CLIENT_GO;
	}

	/**
	 * Returns the generation of the slots that requests ask for from now on; 0 for the
	 * whole collection.
	 */
	long generation() {
		MirroredSlots slots = this.slots;
		return (slots != null) ? slots.generation() : 0;
	}

	/**
	 * Returns how many times as much as the mirror an answer may contain. The server need
	 * not leave out the objects of other shards, so an answer may contain the whole
	 * collection. Shards are not equally large, so the result is twice the expected
	 * ratio.
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
