package dev.reflector.cache.internal.loop;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * Offers the objects of the mirror to the requests of a loop, so that unchanged objects
 * need not be decoded again. A server that has gone back to an older state assigns
 * versions a second time, to different contents. The loop notices this only at the end of
 * an answer (E-14). If the answer has used an object of the mirror, the full state is
 * then read again.
 *
 * @param <T> the type of the objects
 */
final class MirrorObjects<T> implements CachedObjects<T> {

	private final Indexer<T> mirror;

	private final LoopSetup<T> setup;

	private final ResourceAccessor<T> accessor;

	/**
	 * Whether a request has used an object of the mirror. Set by the decoding threads
	 * before they deliver the answer.
	 */
	private volatile boolean used;

	private boolean reliable = true;

	MirrorObjects(Indexer<T> mirror, LoopSetup<T> setup) {
		this.mirror = mirror;
		this.setup = setup;
		this.accessor = setup.accessor();
	}

	Indexer<T> mirror() {
		return this.mirror;
	}

	/** Clears the record of whether a request has used an object of the mirror. */
	void begin() {
		this.used = false;
	}

	/**
	 * Adds this instance to the context of a request, if the request may use objects of
	 * the mirror.
	 */
	Context in(Context context) {
		boolean known = this.reliable && this.mirror.size() > 0 && this.setup.behaviour().reusesObjects()
				&& this.setup.listerWatcher().reusesCachedObjects();
		return known ? CachedObjects.in(context, this) : context;
	}

	@Override
	public @Nullable T find(ResourceKey key, String uid, String resourceVersion) {
		T object = this.mirror.get(key);
		if (object == null || resourceVersion.isEmpty()
				|| !resourceVersion.equals(this.accessor.resourceVersion(object))) {
			return null;
		}
		String held = this.accessor.uid(object);
		if (!held.isEmpty() && !uid.isEmpty() && !held.equals(uid)) {
			return null;
		}
		this.used = true;
		return object;
	}

	/**
	 * Whether a full state must be read again, without objects of the mirror. If so,
	 * requests do not use objects of the mirror until {@link #committed()} is called.
	 * @param version the version of the full state
	 * @param lastSyncVersion the version of the mirror
	 * @return {@code true} if the full state uses an object of the mirror that may be
	 * wrong: the server has gone back to an older state, {@link #distrust()} was called,
	 * or {@link #failed} has shown that the server is behind the mirror
	 */
	boolean misleads(String version, String lastSyncVersion) {
		if (this.used && (!this.reliable || ResourceVersions.isGreater(lastSyncVersion, version))) {
			this.reliable = false;
			return true;
		}
		return false;
	}

	/**
	 * Notes a failed request. If the server has not reached the version of the mirror,
	 * the server has gone back to an older state, and requests no longer use
	 * objects of the mirror.
	 */
	void failed(Failure failure) {
		this.reliable = this.reliable && !failure.versionTooLarge();
	}

	/**
	 * Notes that an object of the mirror may differ from the server's object of the same
	 * version. From now on, requests do not use objects of the mirror.
	 */
	void distrust() {
		this.reliable = false;
	}

	/** Whether to compare objects by content even if their versions are equal. */
	boolean isDistrusted() {
		return !this.reliable && this.setup.behaviour().comparesVersions();
	}

	/**
	 * Notes that a full state has been queued for the mirror, so that requests may use
	 * the mirror's objects again.
	 */
	void committed() {
		this.reliable = true;
	}

}
