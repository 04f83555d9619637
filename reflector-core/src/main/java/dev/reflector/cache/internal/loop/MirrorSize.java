package dev.reflector.cache.internal.loop;

import dev.reflector.cache.config.LimitSettings;
import dev.reflector.cache.source.RequestListener;
import org.jspecify.annotations.Nullable;

/**
 * How much the mirror of a reflector holds when all that was received has reached it, and
 * how much it may hold. Used by the loops of the reflector, which each bring a part.
 */
public final class MirrorSize {

	static final String TOO_MANY = "TooManyObjects";

	static final String TOO_LARGE = "MirrorTooLarge";

	private final String reflector;

	private final LimitSettings limits;

	private long objects;

	private long bytes;

	/**
	 * Begins with an empty mirror.
	 * @param reflector name of the reflector
	 * @param limits what the mirror may hold
	 */
	public MirrorSize(String reflector, LimitSettings limits) {
		this.reflector = reflector;
		this.limits = limits;
	}

	boolean isLimited() {
		return this.limits.isSet();
	}

	/**
	 * Adds to the mirror, or takes from it, which is always possible.
	 * @param objects how many objects more it holds, or fewer
	 * @param bytes how many bytes more these have, or fewer
	 * @return why nothing was added; {@code null} when it was
	 */
	synchronized @Nullable Failure add(long objects, long bytes) {
		Failure exceeded = exceeded(objects, bytes);
		if (exceeded == null) {
			this.objects += objects;
			this.bytes += bytes;
		}
		return exceeded;
	}

	/**
	 * Checks whether there is room.
	 * @param objects how many objects more the mirror would hold
	 * @param bytes how many bytes more these would have
	 * @return why so much cannot be added, {@code null} when it can
	 */
	@Nullable public synchronized Failure exceeded(long objects, long bytes) {
		return exceeded(objects, this.objects + objects, bytes, this.bytes + bytes, this.limits.maxObjects(),
				this.limits.maxSize());
	}

	private @Nullable Failure exceeded(long moreObjects, long objects, long moreBytes, long bytes, long maxObjects,
			long maxSize) {
		if (moreObjects > 0 && objects > maxObjects) {
			return Failure.tooMuch(TOO_MANY, "there are more than " + this.limits.maxObjects() + " objects, "
					+ advice("max-objects", this.limits.maxObjects() + ""));
		}
		return (moreBytes > 0 && bytes > maxSize) ? Failure.tooMuch(TOO_LARGE, "all objects together have more than "
				+ this.limits.maxSize() + " bytes, " + advice("max-size", this.limits.maxSize() + "B")) : null;
	}

	private String advice(String limit, String value) {
		return "and 'reflector.resources." + this.reflector + "." + limit + "' is " + value
				+ ": the mirror is kept as it was. Raise the limit, or select fewer objects";
	}

	/**
	 * Watches over answers to a list, which are read as a whole before any of them is
	 * counted.
	 * @param setup knows how much of an answer may be left out
	 * @return what ends the request when more comes
	 */
	public RequestListener guard(LoopSetup<?> setup) {
		return new Guard(setup.part().answersPerMirror());
	}

	/** Counts the objects of answers. */
	private final class Guard implements RequestListener {

		private final long maxObjects;

		private final long maxSize;

		private long objects;

		private long bytes;

		Guard(int share) {
			LimitSettings limits = MirrorSize.this.limits;
			this.maxObjects = times(limits.maxObjects(), share);
			this.maxSize = times(limits.maxSize(), share);
		}

		private static long times(long limit, int share) {
			return (limit <= LimitSettings.UNLIMITED / share) ? limit * share : LimitSettings.UNLIMITED;
		}

		@Override
		public boolean wantsSizes() {
			return isLimited();
		}

		@Override
		public void listed(long size) {
			this.objects++;
			this.bytes += size;
			Failure exceeded = MirrorSize.this.exceeded(1, this.objects, size, this.bytes, this.maxObjects,
					this.maxSize);
			if (exceeded != null) {
				throw new LimitExceededException(exceeded);
			}
		}

	}

}
