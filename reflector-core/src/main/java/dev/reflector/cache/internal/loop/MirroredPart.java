package dev.reflector.cache.internal.loop;

import dev.reflector.ReflectorStatus;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.sharding.MirroredSlots;

/** The part of a collection that a loop mirrors. Any thread may call its methods. */
public interface MirroredPart {

	/**
	 * Returns a number that identifies the part that is mirrored now. Later requests ask
	 * for this part, until the number changes.
	 */
	long generation();

	/**
	 * Returns how many times larger than the mirror's limits one answer may be. The
	 * answer may be larger because the server may include the objects of other shards.
	 * Since shards are not equally large, twice the expected ratio is allowed.
	 */
	int answersPerMirror();

	/**
	 * Returns everything that a source supplies: the whole collection, or a fixed share
	 * of it.
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
	 * Returns the part that consists of the given slots, which may change.
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
