package dev.reflector.cache.internal.loop;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.HeldObjects;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * What the mirror holds, for the requests of a loop. E-14: a server that has gone back
 * gives out its versions a second time, and only the end of its answer tells that it has;
 * if anything was taken for known until then, all has to be read once more.
 *
 * @param <T> the type of the objects
 */
final class Held<T> implements HeldObjects<T> {

	private final Indexer<T> mirror;

	private final LoopSetup<T> setup;

	private final ResourceAccessor<T> accessor;

	/** Set by threads that decode; their signals come after. */
	private volatile boolean used;

	private boolean reliable = true;

	Held(Indexer<T> mirror, LoopSetup<T> setup) {
		this.mirror = mirror;
		this.setup = setup;
		this.accessor = setup.accessor();
	}

	/** A full state is about to be read. */
	void begin() {
		this.used = false;
	}

	/** Puts it into the context of a request, if there is anything to be known. */
	Context in(Context context) {
		boolean known = this.reliable && this.mirror.size() > 0 && !clientGo()
				&& this.setup.listerWatcher().reusesHeldObjects();
		return known ? HeldObjects.in(context, this) : context;
	}

	/** Which takes what is listed, whatever its version. */
	private boolean clientGo() {
		return this.setup.clientGo();
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
	 * Whether a full state has to be read once more, and is then read without what is
	 * held.
	 * @param version version of the state
	 * @param lastSyncVersion how far the mirror had come
	 * @return whether the server has gone back, and something was taken for known
	 */
	boolean misleads(String version, String lastSyncVersion) {
		if (this.used && ResourceVersions.isGreater(lastSyncVersion, version)) {
			this.reliable = false;
			return true;
		}
		return false;
	}

	/** a server that does not know our version yet, or any more, is behind. */
	void failed(Failure failure) {
		this.reliable = this.reliable && !failure.versionTooLarge();
	}

	/** What is held may differ from the server under the same version. */
	void distrust() {
		this.reliable = false;
	}

	/** Whether objects of the same version are to be compared as a whole. */
	boolean isDistrusted() {
		return !this.reliable && !clientGo();
	}

	/** The mirror holds a state of the server again. */
	void committed() {
		this.reliable = true;
	}

}
