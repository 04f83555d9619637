package dev.reflector.cache;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ResourceType;
import dev.reflector.cache.ReflectorOptions.Compatibility;
import dev.reflector.cache.ReflectorOptions.InitialList;

import static org.awaitility.Awaitility.await;

/**
 * An informer whose server and clock a test plays.
 */
final class InformerFixture {

	static final Backoff.Settings EXACT = new Backoff.Settings(Duration.ofMillis(800), Duration.ofSeconds(30), 2, 0,
			Duration.ofMinutes(2));

	final ManualTime time = new ManualTime();

	final ScriptedSource source = new ScriptedSource();

	final SharedInformerTests.Recorder recorder = new SharedInformerTests.Recorder();

	/** The delays so far. */
	final List<Duration> delays = new CopyOnWriteArrayList<>();

	/** Why passes have ended so far. */
	final List<PassEnd> ends = new CopyOnWriteArrayList<>();

	/** How often a watch has taken over from the one before. */
	final AtomicInteger handovers = new AtomicInteger();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	TimeSource timeSource = this.time;

	ListerWatcher<Thing> listerWatcher = this.source;

	ResourceAccessor<Thing> accessor = MetadataAccessor.forType(Thing.class);

	SharedInformer<Thing> informer;

	static ReflectorOptions.Builder listing() {
		return oneByOne().initialList(InitialList.LIST);
	}

	static ReflectorOptions.Builder streaming() {
		return oneByOne().initialList(InitialList.AUTO);
	}

	/** With one watch after the other, as client-go has them. */
	private static ReflectorOptions.Builder oneByOne() {
		return ReflectorOptions.builder().backoff(EXACT).watchOverlap(Duration.ZERO);
	}

	static ReflectorOptions clientGo(ReflectorOptions.Builder options) {
		return options.compatibility(Compatibility.CLIENT_GO).build();
	}

	void start(ReflectorOptions.Builder options) {
		start(options.build());
	}

	void start(ReflectorOptions options, String... namespaces) {
		ReflectorObserver observer = new ReflectorObserver() {

			@Override
			public void relisting(PassEnd reason) {
				InformerFixture.this.ends.add(reason);
			}

			@Override
			public void handedOver() {
				InformerFixture.this.handovers.incrementAndGet();
			}

			@Override
			public void backingOff(Duration delay) {
				InformerFixture.this.delays.add(delay);
			}

		};
		this.informer = new SharedInformer<>(
				new SharedInformer.Config<>("things", ResourceType.of("example.com/v1", "Thing", "things"),
						List.of(namespaces), this.listerWatcher, this.accessor, options, Map.of(),
						List.of(this.recorder), observer, this.timeSource, new Random(1), this.threads));
		this.informer.start();
	}

	void stop() throws Exception {
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	/** Has the server go on after the delay with some number, the first being 1. */
	Duration passDelay(int number) {
		await().until(() -> this.delays.size() >= number);
		Duration delay = this.delays.get(number - 1);
		this.time.advance(delay);
		return delay;
	}

	List<String> mirror() {
		return this.informer.lister().list().stream().map(Thing::toString).sorted().toList();
	}

	void awaitMirror(String... things) {
		await().until(() -> mirror().equals(List.of(things)));
	}

	void awaitVersion(String version) {
		await().until(() -> this.informer.lastSyncResourceVersion().equals(version));
	}

	/** The versions lists were asked for. */
	List<String> listVersions() {
		return this.source.lists.stream().map(ListOptions::resourceVersion).toList();
	}

	/** The versions watches were asked for, marked when they were to stream the state. */
	List<String> watchVersions() {
		return this.source.watches.stream()
			.map((watch) -> (watch.sendInitialEvents() ? "state from " : "from ") + watch.resourceVersion())
			.toList();
	}

	static Thing[] things(int count, String version) {
		Thing[] things = new Thing[count];
		for (int i = 0; i < count; i++) {
			things[i] = Thing.of("t" + i, version);
		}
		return things;
	}

	void close() throws Exception {
		if (this.informer != null) {
			stop();
		}
		this.threads.shutdownNow();
	}

}
