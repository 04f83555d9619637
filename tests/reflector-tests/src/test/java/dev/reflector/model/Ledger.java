package dev.reflector.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.reflector.Lister;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;

/**
 * A listener that adds up its changes, and records those that do not fit.
 */
final class Ledger implements ResourceEventHandler<Widget> {

	private final Supplier<Lister<Widget>> mirror;

	/** Whether a recreated object is delivered as another object (E-24). */
	private final boolean tellsRecreation;

	private final Map<String, String> uids = new HashMap<>();

	private final Map<String, String> folded = new TreeMap<>();

	private final Map<String, String> newest = new HashMap<>();

	private final Set<String> delivered = new HashSet<>();

	private final List<String> heard = new ArrayList<>();

	private final List<String> mistakes = new ArrayList<>();

	private final AtomicInteger calls = new AtomicInteger();

	private volatile int slowMicros;

	private volatile boolean throwing;

	private final Map<String, Integer> regressions = new HashMap<>();

	/** How often each object may return to an earlier version. */
	private int steps;

	/** Whether objects may be missing on a list although they are there. */
	private boolean vanishing;

	private final Set<String> vanished = new HashSet<>();

	private int synced;

	Ledger(Supplier<Lister<Widget>> mirror, boolean tellsRecreation) {
		this.mirror = mirror;
		this.tellsRecreation = tellsRecreation;
	}

	void slow(int micros) {
		this.slowMicros = micros;
	}

	void throwing(boolean throwing) {
		this.throwing = throwing;
	}

	synchronized void mayGoBack(int times) {
		this.steps += times;
	}

	synchronized void mayVanish() {
		this.vanishing = true;
	}

	@Override
	public void onChange(Change<Widget> change) {
		if (this.calls.incrementAndGet() > 1) {
			mistake("called by two threads at a time", change);
		}
		try {
			note(change);
			int micros = this.slowMicros;
			if (micros > 0) {
				LockSupport.parkNanos(micros * 1000L);
			}
			if (this.throwing) {
				throw new IllegalStateException("the listener throws");
			}
		}
		finally {
			this.calls.decrementAndGet();
		}
	}

	@Override
	public synchronized void onSynced(String resourceVersion) {
		this.synced++;
		this.heard.add("synced " + resourceVersion);
	}

	private synchronized void note(Change<Widget> change) {
		String key = change.key().toString();
		String version = change.object().version();
		this.heard.add(change.type() + " " + key + "@" + version + " by " + change.cause());
		if (!change.resourceVersion().equals(version)) {
			mistake("carries the version " + change.resourceVersion(), change);
		}
		switch (change.type()) {
			case ADDED -> {
				add(change, key, version);
				checkMirror(change, version);
			}
			case UPDATED -> {
				update(change, key, version);
				checkMirror(change, version);
			}
			case DELETED -> delete(change, key, version);
		}
		identify(change, key);
		if (change.cause() != Change.Cause.RESYNC) {
			this.delivered.add(change.type() == Change.Type.DELETED ? deletion(key, version) : upsert(key, version));
		}
	}

	/**
	 * Checks that another object with the same name is neither delivered as an update nor
	 * as the final state of the previous object.
	 */
	private void identify(Change<Widget> change, String key) {
		String uid = String.valueOf(change.object().metadata().uid());
		String before = this.uids.put(key, uid);
		if (this.tellsRecreation && change.type() != Change.Type.ADDED && !uid.equals(before)) {
			mistake("is another object, " + uid + " instead of " + before, change);
		}
	}

	private void add(Change<Widget> change, String key, String version) {
		String before = this.folded.put(key, version);
		if (before != null) {
			mistake("is there already, at " + before, change);
		}
		advance(change, key, version);
	}

	private void update(Change<Widget> change, String key, String version) {
		String before = this.folded.put(key, version);
		String previous = (change.previous() != null) ? change.previous().version() : null;
		if (before == null) {
			mistake("is not there", change);
		}
		else if (!before.equals(previous)) {
			mistake("has the previous version " + previous + ", but " + before + " was the last", change);
		}
		if (change.cause() != Change.Cause.RESYNC) {
			advance(change, key, version);
		}
		else if (!version.equals(before)) {
			mistake("is no resync of " + before, change);
		}
	}

	private void delete(Change<Widget> change, String key, String version) {
		String before = this.folded.remove(key);
		if (before == null) {
			mistake("is not there", change);
		}
		if (!change.finalStateUnknown()) {
			advance(change, key, version);
		}
		else if (this.vanishing) {
			this.vanished.add(key);
		}
	}

	/** W-68: of one object, no version is older than one that was delivered before. */
	private void advance(Change<Widget> change, String key, String version) {
		String before = this.newest.put(key, version);
		boolean again = this.vanished.remove(key) && version.equals(before);
		if (before != null && !again && !Versions.isAfter(version, before)
				&& this.regressions.merge(key, 1, Integer::sum) > this.steps) {
			mistake("goes back in time from " + before, change);
		}
	}

	/** D-62: the mirror shows the state of the change or a newer one. */
	private void checkMirror(Change<Widget> change, String version) {
		Widget present = this.mirror.get().get(change.key());
		if (this.steps == 0 && present != null && Versions.isAfter(version, present.version())) {
			mistake("the mirror still has " + present.version(), change);
		}
	}

	private synchronized void mistake(String what, Change<Widget> change) {
		this.mistakes.add(change.type() + " " + change.key() + "@" + change.resourceVersion() + " by " + change.cause()
				+ " " + what);
	}

	static String upsert(String key, String version) {
		return key + "@" + version;
	}

	static String deletion(String key, String version) {
		return "-" + key + "@" + version;
	}

	synchronized Map<String, String> folded() {
		return new TreeMap<>(this.folded);
	}

	synchronized Set<String> delivered() {
		return new HashSet<>(this.delivered);
	}

	synchronized List<String> heard() {
		return new ArrayList<>(this.heard);
	}

	synchronized List<String> mistakes() {
		return new ArrayList<>(this.mistakes);
	}

	synchronized int synced() {
		return this.synced;
	}

}
