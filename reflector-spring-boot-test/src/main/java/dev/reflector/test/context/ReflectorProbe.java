package dev.reflector.test.context;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.test.EmbeddedApiServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.convert.DurationStyle;

/**
 * Waits in tests until reflectors meet a condition, and never for a fixed time. If the
 * condition is already met when a method is called, the method returns at once, so a call
 * can never come too late. Events before the last {@link RecordedEvents#clear()} are
 * ignored.
 * <p>
 * Every wait ends after ten seconds with an {@link AssertionError}. The property
 * {@code reflector.test.timeout} and {@link #within(Duration)} change this time. The
 * error shows the state of each reflector and the events recorded so far. If the embedded
 * server does not answer, the error says why.
 *
 * @since 0.1.0
 */
public final class ReflectorProbe {

	private static final Set<ReflectorState> IDLE = Set.of(ReflectorState.BACKING_OFF, ReflectorState.AWAITING_TYPE,
			ReflectorState.POLLING);

	private static final Set<ReflectorState> FOLLOWING = Set.of(ReflectorState.WATCHING, ReflectorState.POLLING);

	/**
	 * Time after which a condition is checked again even without an event, because not
	 * every change is published.
	 */
	private static final Duration RECHECK = Duration.ofMillis(20);

	/**
	 * How long to wait for the last events of the previous test. The wait is limited,
	 * because a reflector that has failed may publish nothing for some time, for example
	 * with a manual time source.
	 */
	private static final Duration LAST_EVENTS = Duration.ofSeconds(5);

	/** If a reflector has not caught up after this time, it is made to list again. */
	private static final Duration NUDGE = Duration.ofMillis(500);

	private final ObservedReflectors reflectors;

	private final RecordedEvents events;

	private final ObjectProvider<EmbeddedApiServer> server;

	private final Duration timeout;

	ReflectorProbe(ObservedReflectors reflectors, RecordedEvents events, ObjectProvider<EmbeddedApiServer> server,
			Duration timeout) {
		this.reflectors = reflectors;
		this.events = events;
		this.server = server;
		this.timeout = timeout;
	}

	/**
	 * Returns a probe with another timeout.
	 * @param timeout the longest time to wait
	 * @return a probe with that timeout
	 */
	public ReflectorProbe within(Duration timeout) {
		return new ReflectorProbe(this.reflectors, this.events, this.server, timeout);
	}

	/**
	 * Waits until every reflector that runs has synced.
	 */
	public void awaitSynced() {
		await("all reflectors to sync", () -> this.reflectors.running().stream().allMatch(Reflector::hasSynced));
	}

	/**
	 * Waits until a reflector has synced: its mirror contains the first complete state.
	 * @param reflector the reflector
	 */
	public void awaitSynced(Reflector<?> reflector) {
		await("reflector '" + reflector.name() + "' to sync", reflector::hasSynced);
	}

	/**
	 * Waits until a reflector is in a state.
	 * @param reflector the reflector
	 * @param state the state
	 */
	public void awaitState(Reflector<?> reflector, ReflectorState state) {
		await("reflector '" + reflector.name() + "' to be " + state, () -> reflector.state() == state);
	}

	/**
	 * Waits until a reflector has reached a version of its collection: the mirror shows
	 * the state at this version, and every listener has received the changes up to this
	 * version. If the versions can be ordered, a later version is enough. Otherwise, the
	 * mirror must be at exactly this version.
	 * @param reflector the reflector
	 * @param resourceVersion the version, for example of an object that was written
	 */
	public void awaitResourceVersion(Reflector<?> reflector, String resourceVersion) {
		await("reflector '" + reflector.name() + "' to reach resource version " + resourceVersion,
				() -> hasReached(reflector, resourceVersion));
	}

	/**
	 * Waits until the mirrors show all writes to the embedded server before this call,
	 * including deletions, and every listener has received these changes. During this
	 * wait, the server sends bookmarks.
	 * @throws IllegalStateException if the context has no embedded server
	 */
	public void awaitCaughtUp() {
		EmbeddedApiServer server = this.server.getIfAvailable();
		if (server == null) {
			throw new IllegalStateException(
					"There is no embedded server in this context: see @AutoConfigureEmbeddedApiServer");
		}
		String version = server.resourceVersion();
		await("all reflectors to catch up with the server at " + version, () -> {
			server.sendBookmarks();
			return lagging(version).isEmpty();
		});
	}

	/**
	 * Like {@link #awaitCaughtUp()}, but also resumes paused reflectors. Reflectors that
	 * do not watch or do not catch up are made to list again.
	 */
	void bringUpToDate() {
		EmbeddedApiServer server = this.server.getObject();
		String version = server.resourceVersion();
		this.reflectors.followingTheServer().forEach((reflector) -> {
			if (reflector.state() == ReflectorState.PAUSED) {
				reflector.resume();
			}
			if (IDLE.contains(reflector.state())) {
				reflector.relist();
			}
		});
		Nudge nudge = new Nudge();
		await("all reflectors to reach version " + version + " of the server, which was reset", () -> {
			server.sendBookmarks();
			List<Reflector<?>> lagging = lagging(version);
			if (nudge.isDue()) {
				lagging.forEach(Reflector::relist);
			}
			return lagging.isEmpty();
		});
		awaitLastEvents(server);
	}

	/**
	 * Waits until the reflectors have published all events that belong to the previous
	 * test. A reflector is up to date after a list, but publishes further events when the
	 * watch after the list begins.
	 */
	private void awaitLastEvents(EmbeddedApiServer server) {
		long start = System.nanoTime();
		await("all reflectors to publish that they watch", () -> {
			server.sendBookmarks();
			return this.reflectors.followingTheServer().stream().allMatch(this::tellsThatItWatches)
					|| System.nanoTime() - start > LAST_EVENTS.toNanos();
		});
	}

	private boolean tellsThatItWatches(Reflector<?> reflector) {
		return FOLLOWING.contains(reflector.state()) && this.events.isWatching(reflector.name());
	}

	private List<Reflector<?>> lagging(String resourceVersion) {
		return this.reflectors.followingTheServer()
			.stream()
			.<Reflector<?>>filter((reflector) -> !reflector.hasSynced() || !hasReached(reflector, resourceVersion))
			.toList();
	}

	private static boolean hasReached(Reflector<?> reflector, String resourceVersion) {
		// the version must be read before the queue, because a change is queued before
		// its version is reported
		return ResourceVersionOrder.reached(reflector.lastSyncResourceVersion(), resourceVersion)
				&& reflector.status().queueDepth() == 0;
	}

	/**
	 * Waits for an event about any change of an object, if no matching event has been
	 * recorded yet.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @param matching decides which change matches
	 * @return the first event that matches
	 */
	public <T> ResourceEvent<T> awaitEvent(Class<T> type, Predicate<? super ResourceEvent<T>> matching) {
		return awaitFirst("a change", type, () -> this.events.ofType(type).all(), matching);
	}

	/**
	 * Waits for an event about an added object, if no matching event has been recorded
	 * yet.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @param matching decides which event matches
	 * @return the first event that matches
	 */
	public <T> ResourceAddedEvent<T> awaitAdded(Class<T> type, Predicate<? super ResourceAddedEvent<T>> matching) {
		return awaitFirst("an addition", type, () -> this.events.ofType(type).added(), matching);
	}

	/**
	 * Waits for an event about an updated object, if no matching event has been recorded
	 * yet.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @param matching decides which event matches
	 * @return the first event that matches
	 */
	public <T> ResourceUpdatedEvent<T> awaitUpdated(Class<T> type,
			Predicate<? super ResourceUpdatedEvent<T>> matching) {
		return awaitFirst("an update", type, () -> this.events.ofType(type).updated(), matching);
	}

	/**
	 * Waits for an event about a deleted object, if no matching event has been recorded
	 * yet.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @param matching decides which event matches
	 * @return the first event that matches
	 */
	public <T> ResourceDeletedEvent<T> awaitDeleted(Class<T> type,
			Predicate<? super ResourceDeletedEvent<T>> matching) {
		return awaitFirst("a deletion", type, () -> this.events.ofType(type).deleted(), matching);
	}

	private <E extends ResourceEvent<?>> E awaitFirst(String what, Class<?> type, Supplier<List<E>> recorded,
			Predicate<? super E> matching) {
		return awaitPresent(what + " of " + type.getSimpleName() + " that matches",
				() -> recorded.get().stream().filter(matching).findFirst());
	}

	/**
	 * Waits for any condition. The condition is checked whenever a reflector publishes an
	 * event, and also every few milliseconds.
	 * @param what description of the condition, which follows "waiting for" in the error
	 * message
	 * @param condition the condition
	 */
	public void await(String what, BooleanSupplier condition) {
		awaitPresent(what, () -> condition.getAsBoolean() ? Optional.of(what) : Optional.empty());
	}

	private <R> R awaitPresent(String what, Supplier<Optional<R>> attempt) {
		long start = System.nanoTime();
		while (true) {
			long version = this.events.version();
			Optional<R> result = attempt.get();
			if (result.isPresent()) {
				return result.get();
			}
			long remaining = TimeUnit.NANOSECONDS.convert(this.timeout) - (System.nanoTime() - start);
			if (remaining <= 0) {
				throw failure("Timed out after " + text(this.timeout) + " waiting for " + what);
			}
			try {
				this.events.awaitAfter(version, Math.min(remaining, RECHECK.toNanos()));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw failure("Interrupted while waiting for " + what);
			}
		}
	}

	private AssertionError failure(String what) {
		EmbeddedApiServer server = this.server.getIfUnique();
		boolean synced = this.reflectors.all().stream().allMatch(Reflector::hasSynced);
		String problem = (server != null && !synced) ? ServerCheck.problem(server.url()) : null;
		return new AssertionError(new FailureReport(what, problem, this.reflectors.all(), this.events.entries()));
	}

	private static String text(Duration duration) {
		return DurationStyle.SIMPLE.print(duration,
				(duration.toMillis() % 1000 == 0) ? ChronoUnit.SECONDS : ChronoUnit.MILLIS);
	}

	/**
	 * A timer that decides when to make reflectors list again.
	 */
	private static final class Nudge {

		private long last = System.nanoTime();

		boolean isDue() {
			long now = System.nanoTime();
			if (now - this.last < NUDGE.toNanos()) {
				return false;
			}
			this.last = now;
			return true;
		}

	}

}
