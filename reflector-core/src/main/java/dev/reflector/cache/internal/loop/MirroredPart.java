package dev.reflector.cache.internal.loop;

import dev.reflector.ReflectorStatus;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.sharding.MirroredSlots;

/** The part of a collection that a loop mirrors. Asked by any thread. */
public interface MirroredPart {

	/** The number of the part that a request asks for from now on. */
	long generation();

	/**
	 * How many times as much as belongs to the mirror may come in one answer, because the
	 * server need not leave out the objects of other shards. Shares are not equal, so
	 * twice that is allowed.
	 */
	int answersPerMirror();

	/**
	 * All that a source has: the whole collection, or a fixed share of it.
	 * @param source the source
	 * @return the part
	 */
	static MirroredPart allOf(ListerWatcher<?> source) {
		return new MirroredPart() {

			@Override
			public long generation() {
				return 0;
			}

			@Override
			public int answersPerMirror() {
				ReflectorStatus.Shard shard = source.shard();
				return (shard == null) ? 1 : 2 * ((shard.count() != null) ? shard.count() : 1);
			}

		};
	}

	/**
	 * Slots that change.
	 * @param slots the slots
	 * @return the part
	 */
	static MirroredPart of(MirroredSlots slots) {
		return new MirroredPart() {

			@Override
			public long generation() {
				return slots.generation();
			}

			@Override
			public int answersPerMirror() {
				int own = Math.max(1, slots.share().slots().size());
				return 2 * (slots.slots().count() / own + 1);
			}

		};
	}

}
