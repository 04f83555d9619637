package dev.reflector.cache.internal.loop;

import dev.reflector.cache.config.LimitSettings;
import dev.reflector.cache.source.RequestListener;
import org.jspecify.annotations.Nullable;

/**
 * The size of a reflector's mirror, and its limits. Received objects count even before
 * they have reached the mirror. Used by all loops of the reflector, each of which fills a
 * part of the mirror.
 */
public final class MirrorSize {

	static final String TOO_MANY = "TooManyObjects";

	static final String TOO_LARGE = "MirrorTooLarge";

	private final String reflector;

	private final LimitSettings limits;

	private long objects;

	private long bytes;

	/**
	 * Creates the size of an empty mirror.
	 * @param reflector name of the reflector
	 * @param limits the limits of the mirror
	 */
	public MirrorSize(String reflector, LimitSettings limits) {
		this.reflector = reflector;
		this.limits = limits;
	}

	boolean isLimited() {
		return this.limits.isSet();
	}

	/**
	 * Counts objects that are added to the mirror or removed from it. A removal never
	 * exceeds a limit.
	 * @param objects the number of objects that are added, negative for removed ones
	 * @param bytes the number of bytes that are added, negative for removed ones
	 * @return why the objects cannot be added, or {@code null} if they were counted
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
	 * Checks whether the mirror has room for more objects.
	 * @param objects the number of objects to add
	 * @param bytes the number of bytes to add
	 * @return why the objects cannot be added, or {@code null} if they can
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
	 * Creates a guard that ends a request while its answer is read, if the answer is too
	 * large. Without it, an answer to a list would be counted only after it has been read
	 * completely.
	 * @param setup the setup of the loop, which determines how much larger than the
	 * mirror an answer may be
	 * @return the guard
	 */
	public RequestListener guard(LoopSetup<?> setup) {
		return new Guard(setup.part().answersPerMirror());
	}

	/** Counts the objects of an answer while they are read. */
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
