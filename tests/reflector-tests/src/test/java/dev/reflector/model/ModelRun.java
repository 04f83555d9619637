package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.Lister;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.test.Backup;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import reactor.core.scheduler.Scheduler;

/**
 * Runs one history against the real stack: a server on a socket, the client, the engine.
 */
final class ModelRun implements AutoCloseable {

	private static final Duration BRIEF = Duration.ofMillis(400);

	private static final int WATCHES_IN_A_ROW = 5;

	/** A limit for objects that may go back any number of times. */
	private static final int ANY_NUMBER = 1_000;

	private final History history;

	private final Servers servers;

	private final WrittenObjects objects;

	private final RecordingSource source;

	private final Attempts attempts = new Attempts();

	private final SharedInformer<Widget> reflector;

	private final List<Ledger> ledgers;

	private final Threads threads = new Threads();

	private final List<CompletionStage<Void>> stops = new ArrayList<>();

	private final List<String> findings = new ArrayList<>();

	private final Queue<Trouble.Kind> played = new ConcurrentLinkedQueue<>();

	private int starts;

	private boolean paused;

	private boolean wentBack;

	/** Whether a readable object may have arrived unreadable. */
	private boolean spoiled;

	/** Whether a streamed list may come without its end marker. */
	private boolean unmarked;

	ModelRun(History history, SystemTimeSource time, Scheduler decoders) {
		this.history = history;
		Setup setup = history.setup();
		this.servers = new Servers(setup);
		this.objects = new WrittenObjects(server().resources("widgets"), setup);
		ScaledTime scaled = new ScaledTime(time, setup.speed());
		MetadataAccessor<Widget> accessor = MetadataAccessor.forType(Widget.class);
		ResourceType type = ResourceType.of("example.com/v1", "Widget", "widgets");
		ListerWatcher<Widget> http = this.servers.client(setup, decoders, this.attempts)
			.listerWatcher(Widget.class, accessor, type, this.objects.selector(), "");
		this.source = new RecordingSource(http, setup, scaled);
		this.ledgers = List.of(new Ledger(this::mirror, !setup.clientGo()),
				new Ledger(this::mirror, !setup.clientGo()));
		this.reflector = SharedInformer.builder("model-" + history.seed(), this.source, accessor)
			.resourceType(type)
			.namespaces(setup.namespaces())
			.options(setup.options())
			.observer(this.source)
			.time(scaled)
			.random(new Random(history.seed()))
			.threads(this.threads::execute)
			.build();
		this.reflector.addIndexers(Map.of(IndexCheck.BY_SIZE, IndexCheck::bySize));
		this.ledgers.forEach(this.reflector::addEventHandler);
	}

	private Lister<Widget> mirror() {
		return this.reflector.lister();
	}

	EmbeddedApiServer server() {
		return this.servers.main();
	}

	WrittenObjects objects() {
		return this.objects;
	}

	SharedInformer<Widget> reflector() {
		return this.reflector;
	}

	List<Ledger> ledgers() {
		return this.ledgers;
	}

	/**
	 * Restores the backup and lists again: a watch from a later version does not show the
	 * change.
	 */
	void restore(Backup backup) {
		goesBack(1);
		this.objects.restored();
		server().restore(backup);
		relist();
	}

	/**
	 * Allows objects to go back to earlier versions. Only a list repairs the mirror then.
	 */
	void goesBack(int times) {
		this.ledgers.forEach((ledger) -> ledger.mayGoBack(times));
		this.wentBack = true;
	}

	/**
	 * Records the possible harm of a fault that the reflector does not repair by itself.
	 */
	void harmed(Trouble trouble, int times) {
		switch (trouble.harm()) {
			// at most, when they are all of one object: each but the first goes back
			case REORDERS -> {
				goesBack(trouble.onwards() ? ANY_NUMBER : times * (trouble.amount() - 1));
				// an end marker may be held back until something comes after it
				this.unmarked |= trouble.onwards();
			}
			case TURNS_BACK -> {
				if (this.history.setup().clientGo()) {
					// and delivers all changes since then once more
					goesBack(ANY_NUMBER);
				}
			}
			// client-go delivers unchanged objects, too
			case MISNUMBERS -> goesBack(this.history.setup().clientGo() ? ANY_NUMBER : 0);
			case SPOILS -> this.spoiled = true;
			case HIDES -> {
				this.spoiled = true;
				this.ledgers.forEach(Ledger::mayVanish);
			}
			case UNMARKS -> this.unmarked = true;
			default -> {
			}
		}
	}

	void switchServer(boolean caughtUp) {
		if (this.servers.switchOver(caughtUp)) {
			// once by a list of the other server, and once when a connection was in time
			this.ledgers.forEach((ledger) -> ledger.mayGoBack(2));
		}
	}

	void relist() {
		this.source.relistRequested();
		this.reflector.relist();
	}

	void pause() {
		this.paused = true;
		this.reflector.pause();
	}

	void resume() {
		if (this.paused) {
			this.paused = false;
			this.source.resumed();
		}
		this.reflector.resume();
	}

	void startReflector() {
		this.starts++;
		this.reflector.start();
	}

	void stopReflector(boolean awaited) {
		CompletionStage<Void> stopped = this.reflector.stop();
		this.stops.add(stopped);
		if (awaited) {
			awaitEnd(stopped);
		}
	}

	private void awaitEnd(CompletionStage<Void> stopped) {
		try {
			stopped.toCompletableFuture().get(Patience.LONGEST.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			this.findings.add("the reflector does not stop: " + this.threads.stacks());
		}
		catch (ExecutionException ex) {
			this.findings.add("the reflector stops with an error: " + ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void rest(int millis) {
		Patience.await(Duration.ofMillis(millis), () -> false);
	}

	/**
	 * Runs the history and the checks after it.
	 * @return the errors that were found, or an empty list
	 */
	List<String> findings() {
		this.history.script().forEach((operation) -> {
			operation.run(this);
			// gives the next watch time to take over
			rest(this.history.setup().overlaps() ? 2 : 0);
		});
		calmDown();
		if (converges("after the history")) {
			// a write and a deletion in each namespace show that the watches work
			Setup.NAMESPACES.forEach((namespace) -> this.objects.write(namespace, "pulse", 1));
			if (converges("after a last write")) {
				Setup.NAMESPACES.forEach((namespace) -> this.objects.delete(namespace, "pulse"));
				if (converges("after a last deletion")) {
					// a loop that has delivered a later write has handled what was asked
					// for
					this.source.requestsAreOver();
					endWatchesAgainAndAgain();
					checkConverged();
				}
			}
		}
		checkStopped();
		checkDelivered();
		checkRequests();
		return this.findings;
	}

	/** Closes the watches several times: delays must come between short watches. */
	private void endWatchesAgainAndAgain() {
		for (int i = 0; i < WATCHES_IN_A_ROW; i++) {
			Patience.await(BRIEF, this::follows);
			server().closeWatches();
		}
	}

	/** Ends all disturbances, and repairs what the reflector cannot repair itself. */
	private void calmDown() {
		server().clearFaults();
		server().start();
		this.servers.comeHome();
		this.ledgers.forEach((ledger) -> {
			ledger.slow(0);
			ledger.throwing(false);
		});
		this.objects.heal();
		startReflector();
		resume();
		if (this.spoiled || this.unmarked) {
			endFaultyWatches();
		}
		if (this.spoiled && !this.history.setup().clientGo()) {
			this.objects.touch();
		}
		if (this.wentBack || (this.spoiled && this.history.setup().clientGo())) {
			// a list in progress may have been asked for before the server went back
			Patience.await(this::follows);
			relist();
		}
	}

	/**
	 * Ends the watches whose fault is still to come, and those that would wait for an end
	 * marker for as long as the server lets them.
	 */
	private void endFaultyWatches() {
		long from = System.nanoTime();
		while (!Patience.await(BRIEF, this::follows) && System.nanoTime() - from < Patience.LONGEST.toNanos()) {
			server().closeWatches();
		}
		server().closeWatches();
	}

	/** Whether each loop has a full state, and its watch is open at the server. */
	boolean follows() {
		// not the state: after a failure it becomes WATCHING only when the watch has
		// lasted
		return this.source.follows(loops()) && this.servers.activeWatches() == loops();
	}

	private int loops() {
		return Math.max(1, this.history.setup().namespaces().size());
	}

	/** Waits until the mirror equals the server, and notes when it does not. */
	boolean converges(String when) {
		Map<String, String> expected = this.objects.expected();
		boolean converged = Patience.await(() -> mirrored().equals(expected)
				&& this.ledgers.stream().allMatch((ledger) -> ledger.folded().equals(expected)));
		if (!converged) {
			this.findings.add(when + " the server has " + expected + ",\n  the mirror " + mirrored()
					+ ",\n  the events add up to " + this.ledgers.stream().map(Ledger::folded).toList() + ",\n  "
					+ this.reflector.status() + this.threads.stacks());
		}
		return converged;
	}

	private Map<String, String> mirrored() {
		return Versions.of(mirror());
	}

	private void checkConverged() {
		expect(Patience.await(this.reflector::hasSynced), "it has not synced");
		expect(Patience.await(() -> this.reflector.state() == ReflectorState.WATCHING),
				"its state is " + this.reflector.status());
		expect(Patience.await(() -> this.servers.activeWatches() == loops()),
				this.servers.activeWatches() + " watches are open instead of " + loops());
		if (loops() == 1) {
			// the version follows the delta, so that a failure between them loses nothing
			expect(Patience.await(this::isUpToDate),
					"its version is " + this.reflector.lastSyncResourceVersion() + ", but the mirror is " + mirrored());
		}
		this.findings.addAll(new IndexCheck(mirror()).findings());
	}

	private boolean isUpToDate() {
		String version = this.reflector.lastSyncResourceVersion();
		return mirrored().values().stream().noneMatch((present) -> Versions.isAfter(present, version));
	}

	private void checkStopped() {
		stopReflector(true);
		this.stops.forEach(this::awaitEnd);
		expect(this.source.open().isEmpty(), "stopped, it has not given up " + this.source.open());
		this.threads.left(Patience.LONGEST).forEach((thread) -> this.findings.add("a thread is left: " + thread));
		expect(Patience.await(() -> this.servers.activeWatches() == 0),
				this.servers.activeWatches() + " watches are left at the server");
		// the client closes unused connections after a while. It also closes a silent
		// connection that it has lost track of, unless it is patient: only a run with a
		// patient client shows such a loss
		expect(Patience.await(() -> this.servers.connections() == 0),
				this.servers.connections() + " connections are left at the server");
		expect(this.reflector.state() == ReflectorState.STOPPED, "stopped, its state is " + this.reflector.state());
	}

	private void checkDelivered() {
		Map<String, String> mirrored = mirrored();
		// a change that is under way at a stop may be delivered by the next list instead
		boolean claims = this.stops.size() == 1 && !this.wentBack && !this.history.setup().twoServers();
		Deliveries deliveries = new Deliveries(this.source, this.spoiled, claims);
		for (Ledger ledger : this.ledgers) {
			this.findings.addAll(ledger.mistakes());
			expect(ledger.folded().equals(mirrored),
					"stopped, the mirror is " + mirrored + ", but the events add up to " + ledger.folded());
			expect(ledger.synced() <= this.starts, "synced " + ledger.synced() + " times");
			if (this.history.setup().hearsAll()) {
				deliveries.missing(this.objects.written(), ledger.delivered())
					.forEach((written) -> this.findings.add("not delivered: " + written));
			}
		}
	}

	private void checkRequests() {
		this.source.tooSoon().forEach((pair) -> this.findings.add("sooner than the back-off allows: " + pair));
		long lists = this.servers.requests(RecordedRequest::isList);
		long watches = this.servers.requests(RecordedRequest::isWatch);
		this.findings.addAll(this.attempts.mistakes());
		expect(lists <= this.attempts.lists(), lists + " lists at the server for " + this.attempts.lists() + " sent: "
				+ this.servers.all(RecordedRequest::isList));
		expect(watches <= this.attempts.watches(),
				watches + " watches at the server for " + this.attempts.watches() + " sent");
	}

	void expect(boolean fact, String otherwise) {
		if (!fact) {
			this.findings.add(otherwise);
		}
	}

	/** The troubles that were played, each as often as it was. */
	Queue<Trouble.Kind> played() {
		return this.played;
	}

	/** How often a request was sent again. */
	int repeated() {
		return this.attempts.repeated();
	}

	/** The number of requests before which a delay was due. */
	int kept() {
		return this.source.kept();
	}

	/** The requests and the delivered changes, for the report of a failure. */
	String record() {
		return "asked: " + String.join("\n  ", this.source.calls()) + "\nheard: "
				+ String.join("\n  ", this.ledgers.get(0).heard());
	}

	@Override
	public void close() {
		this.reflector.stop();
		this.servers.close();
	}

}
