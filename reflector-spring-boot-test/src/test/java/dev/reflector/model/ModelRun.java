package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import dev.reflector.Lister;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.MetadataAccessor;
import dev.reflector.cache.ReflectorObserver;
import dev.reflector.cache.SharedInformer;
import dev.reflector.cache.SystemTimeSource;
import dev.reflector.client.ApiServer;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.TokenSource;
import dev.reflector.test.Backup;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * One history run against the real thing: a server on a socket, the client, the engine.
 */
final class ModelRun implements AutoCloseable {

	private static final String BY_SIZE = "size";

	private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("reflector.model.patience", 15));

	private final History history;

	private final EmbeddedApiServer server;

	private final WrittenObjects objects;

	private final RecordingSource source;

	private final SharedInformer<Widget> reflector;

	private final List<Ledger> ledgers;

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<CompletionStage<Void>> stops = new ArrayList<>();

	private final List<String> findings = new ArrayList<>();

	private int commands;

	private int starts;

	private boolean paused;

	private boolean wentBack;

	ModelRun(History history, SystemTimeSource time, Scheduler decoders) {
		this.history = history;
		Setup setup = history.setup();
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.historyWindow(setup.historyWindow())
			.watchList(setup.streams())
			.versionTimeout(Duration.ofMillis(5))
			.bookmarkInterval(Duration.ofMillis(setup.bookmarkMillis()))
			.start();
		this.objects = new WrittenObjects(this.server.resources("widgets"), setup);
		ScaledTime scaled = new ScaledTime(time, setup.speed());
		MetadataAccessor<Widget> accessor = MetadataAccessor.forType(Widget.class);
		ResourceType type = ResourceType.of("example.com/v1", "Widget", "widgets");
		ListerWatcher<Widget> http = client(this.server, setup, decoders).listerWatcher(Widget.class, accessor, type,
				this.objects.selector(), "");
		this.source = new RecordingSource(http, scaled, setup.backoff());
		this.ledgers = List.of(new Ledger(this::mirror), new Ledger(this::mirror));
		this.reflector = new SharedInformer<>(new SharedInformer.Config<>("model-" + history.seed(), type,
				setup.namespaces(), this.source, accessor, setup.options(), Map.of(BY_SIZE, ModelRun::bySize),
				List.copyOf(this.ledgers), ReflectorObserver.NONE, scaled, new Random(history.seed()), this::execute));
	}

	private static ApiServerClient client(EmbeddedApiServer server, Setup setup, Scheduler decoders) {
		return new ApiServerClient(WebClient.builder(), ClientHttpConnectorBuilder.reactor(),
				HttpClientSettings.defaults(), JsonMapper.builder().build(),
				new ApiServer(server.url(), null, TokenSource.none(), "model"),
				new ApiServerClient.Options(Duration.ofSeconds(5), Duration.ofMillis(setup.idleMillis()),
						DataSize.ofMegabytes(1), "model"),
				decoders);
	}

	private static List<String> bySize(Widget widget) {
		if (widget.spec().size() % 10 == 9) {
			throw new IllegalStateException("the index function throws");
		}
		return List.of("size " + widget.spec().size());
	}

	private void execute(Runnable task) {
		Thread thread = new Thread(task, "model");
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
	}

	private Lister<Widget> mirror() {
		return this.reflector.lister();
	}

	EmbeddedApiServer server() {
		return this.server;
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

	/** Notes that the reflector is told to do something that is not to wait. */
	void commanded() {
		this.commands++;
	}

	/** Goes back. Only a list shows what a watch from a later version cannot. */
	void restore(Backup backup) {
		goesBack(1);
		this.objects.restored();
		this.server.restore(backup);
		relist();
	}

	/** Objects may go back to earlier versions, and only a list makes it good. */
	void goesBack(int times) {
		this.ledgers.forEach((ledger) -> ledger.mayGoBack(times));
		this.wentBack = true;
	}

	void relist() {
		commanded();
		this.reflector.relist();
	}

	void pause() {
		this.paused = true;
		this.reflector.pause();
	}

	void resume() {
		if (this.paused) {
			this.paused = false;
			commanded();
		}
		this.reflector.resume();
	}

	void startReflector() {
		if (!this.stops.isEmpty()) {
			commanded();
		}
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
			stopped.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			this.findings.add("the reflector does not stop: " + stacks());
		}
		catch (ExecutionException ex) {
			this.findings.add("the reflector stops with an error: " + ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void rest(int millis) {
		await(Duration.ofMillis(millis), () -> false);
	}

	/**
	 * Runs the history and what comes after it.
	 * @return what was found to be wrong, empty when nothing was
	 */
	List<String> findings() {
		this.history.script().forEach((operation) -> {
			operation.run(this);
			// leaves the watches time to follow each other
			rest(this.history.setup().overlaps() ? 2 : 0);
		});
		this.server.clearFaults();
		this.server.start();
		this.ledgers.forEach((ledger) -> {
			ledger.slow(0);
			ledger.throwing(false);
		});
		this.objects.heal();
		startReflector();
		resume();
		if (this.wentBack) {
			// a list in progress may have been asked for before the server went back
			await(PATIENCE, () -> this.reflector.hasSynced() && this.reflector.state() == ReflectorState.WATCHING);
			relist();
		}
		if (converges("after the history")) {
			// a write and a deletion in each namespace show that the watches live
			Setup.NAMESPACES.forEach((namespace) -> this.objects.write(namespace, "pulse", 1));
			if (converges("after a last write")) {
				Setup.NAMESPACES.forEach((namespace) -> this.objects.delete(namespace, "pulse"));
				if (converges("after a last deletion")) {
					// short watches that end again and again must keep their distance
					this.server.closeWatches();
					checkConverged();
				}
			}
		}
		checkStopped();
		checkDelivered();
		checkRequests();
		return this.findings;
	}

	private boolean converges(String when) {
		Map<String, String> expected = this.objects.expected();
		boolean converged = await(PATIENCE, () -> mirrored().equals(expected)
				&& this.ledgers.stream().allMatch((ledger) -> ledger.folded().equals(expected)));
		if (!converged) {
			this.findings.add(when + " the server has " + expected + ",\n  the mirror " + mirrored()
					+ ",\n  the events add up to " + this.ledgers.stream().map(Ledger::folded).toList() + ",\n  "
					+ this.reflector.status() + stacks());
		}
		return converged;
	}

	private Map<String, String> mirrored() {
		Map<String, String> mirrored = new TreeMap<>();
		mirror().list().forEach((widget) -> mirrored.put(key(widget), widget.version()));
		return mirrored;
	}

	private static String key(Widget widget) {
		return widget.metadata().namespace() + "/" + widget.metadata().name();
	}

	private void checkConverged() {
		int loops = Math.max(1, this.history.setup().namespaces().size());
		expect(await(PATIENCE, this.reflector::hasSynced), "it has not synced");
		expect(await(PATIENCE, () -> this.reflector.state() == ReflectorState.WATCHING),
				"its state is " + this.reflector.status());
		expect(await(PATIENCE, () -> this.server.activeWatches() == loops),
				this.server.activeWatches() + " watches are open instead of " + loops);
		if (loops == 1) {
			// the version follows the delta, so that a failure between them loses nothing
			expect(await(PATIENCE, this::isUpToDate),
					"its version is " + this.reflector.lastSyncResourceVersion() + ", but the mirror is " + mirrored());
		}
		expect(mirror().size() == mirror().list().size(), "the size of the mirror is " + mirror().size());
		for (String namespace : Setup.NAMESPACES) {
			List<Widget> filtered = mirror().list()
				.stream()
				.filter((widget) -> namespace.equals(widget.metadata().namespace()))
				.toList();
			List<Widget> filed = mirror().byIndex(Lister.NAMESPACE_INDEX, namespace);
			expect(filed.size() == filtered.size() && filed.containsAll(filtered),
					"the index has " + filed + " in " + namespace + " instead of " + filtered);
		}
		for (int size = 0; size < 100; size++) {
			int wanted = size;
			List<Widget> filtered = mirror().list()
				.stream()
				.filter((widget) -> widget.spec().size() == wanted && wanted % 10 != 9)
				.toList();
			List<Widget> filed = mirror().byIndex(BY_SIZE, "size " + size);
			expect(filed.size() == filtered.size() && filed.containsAll(filtered),
					"the index has " + filed + " of size " + size + " instead of " + filtered);
		}
	}

	private boolean isUpToDate() {
		String version = this.reflector.lastSyncResourceVersion();
		return mirrored().values().stream().noneMatch((present) -> Versions.isAfter(present, version));
	}

	private void checkStopped() {
		stopReflector(true);
		this.stops.forEach(this::awaitEnd);
		for (Thread thread : this.threads) {
			try {
				thread.join(PATIENCE.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			expect(!thread.isAlive(), "a thread is left: " + thread);
		}
		expect(await(PATIENCE, () -> this.server.activeWatches() == 0),
				this.server.activeWatches() + " watches are left at the server");
		expect(this.reflector.state() == ReflectorState.STOPPED, "stopped, its state is " + this.reflector.state());
	}

	private void checkDelivered() {
		Map<String, String> mirrored = mirrored();
		for (Ledger ledger : this.ledgers) {
			this.findings.addAll(ledger.mistakes());
			expect(ledger.folded().equals(mirrored),
					"stopped, the mirror is " + mirrored + ", but the events add up to " + ledger.folded());
			expect(ledger.synced() <= this.starts, "synced " + ledger.synced() + " times");
			Set<String> delivered = ledger.delivered();
			for (WrittenObjects.Written written : this.objects.written()) {
				String from = this.source.newestFullState(written.key().substring(0, written.key().indexOf('/')));
				if (this.history.setup().hearsAll() && !from.isEmpty() && Versions.isAfter(written.version(), from)) {
					expect(!written.upsert() || delivered.contains(Ledger.upsert(written.key(), written.version())),
							"not delivered: " + written);
					expect(!written.deletion() || delivered.contains(Ledger.deletion(written.key(), written.version())),
							"not delivered: " + written);
				}
			}
		}
	}

	private void checkRequests() {
		this.source.tooSoon().forEach((loop, pairs) -> {
			// a command may be why one request did not wait. E-01, E-04: client-go keeps
			// no
			// distance where a stream has ended well
			expect(this.history.setup().clientGo() || pairs.size() <= this.commands,
					"sooner than the back-off allows: " + pairs);
		});
		long lists = this.server.requests(RecordedRequest::isList).size();
		long watches = this.server.requests(RecordedRequest::isWatch).size();
		expect(lists <= this.source.lists(), lists + " lists at the server for " + this.source.lists() + " asked for");
		expect(watches <= this.source.watches(),
				watches + " watches at the server for " + this.source.watches() + " asked for");
	}

	private void expect(boolean fact, String otherwise) {
		if (!fact) {
			this.findings.add(otherwise);
		}
	}

	/** What was heard and asked, for the report of a failure. */
	String record() {
		return "asked: " + String.join("\n  ", this.source.calls()) + "\nheard: "
				+ String.join("\n  ", this.ledgers.get(0).heard());
	}

	private String stacks() {
		StringBuilder stacks = new StringBuilder();
		for (Thread thread : this.threads) {
			if (thread.isAlive()) {
				stacks.append("\n  ").append(thread);
				for (StackTraceElement element : thread.getStackTrace()) {
					stacks.append("\n    at ").append(element);
				}
			}
		}
		return stacks.toString();
	}

	private static boolean await(Duration atMost, BooleanSupplier condition) {
		long from = System.nanoTime();
		boolean fulfilled = condition.getAsBoolean();
		while (!fulfilled && System.nanoTime() - from < atMost.toNanos()) {
			LockSupport.parkNanos(200_000);
			fulfilled = condition.getAsBoolean();
		}
		return fulfilled;
	}

	@Override
	public void close() {
		this.reflector.stop();
		this.server.close();
	}

}
