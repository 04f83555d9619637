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
 * need not be read again. A server that has gone back uses its versions a second time,
 * and only the end of its answer shows that (E-14). If an object of the mirror was used
 * until then, everything is read once more.
 *
 * @param <T> the type of the objects
 */
final class MirrorObjects<T> implements CachedObjects<T> {

	private final Indexer<T> mirror;

	private final LoopSetup<T> setup;

	private final ResourceAccessor<T> accessor;

	/** Set by the threads that decode, before they signal the answer. */
	private volatile boolean used;

	private boolean reliable = true;

	MirrorObjects(Indexer<T> mirror, LoopSetup<T> setup) {
		this.mirror = mirror;
		this.setup = setup;
		this.accessor = setup.accessor();
	}

	/** Forgets whether a request has used a held object. */
	void begin() {
		this.used = false;
	}

	/** Puts the held objects into the context of a request, if they may be used. */
	Context in(Context context) {
		// client-go's mode takes every listed object, whatever its version
		boolean known = this.reliable && this.mirror.size() > 0 && !this.setup.clientGo()
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
	 * Whether a full state has to be read once more, without held objects.
	 * @param version version of the state
	 * @param lastSyncVersion the version of the mirror
	 * @return whether a held object was used, and the server has gone back or held
	 * objects are distrusted since
	 */
	boolean misleads(String version, String lastSyncVersion) {
		if (this.used && (!this.reliable || ResourceVersions.isGreater(lastSyncVersion, version))) {
			this.reliable = false;
			return true;
		}
		return false;
	}

	/** a server for which our version is too large is behind it. */
	void failed(Failure failure) {
		this.reliable = this.reliable && !failure.versionTooLarge();
	}

	/** A held object may differ from the server's object of the same version. */
	void distrust() {
		this.reliable = false;
	}

	/** Whether to compare objects by content even if their versions are equal. */
	boolean isDistrusted() {
		return !this.reliable && !this.setup.clientGo();
	}

	/** The mirror holds a state of the server again. */
	void committed() {
		this.reliable = true;
	}

}
