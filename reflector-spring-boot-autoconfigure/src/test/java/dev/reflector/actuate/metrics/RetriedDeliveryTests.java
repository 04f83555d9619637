package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import dev.reflector.actuate.tracing.ReflectorObservationDocumentation;
import dev.reflector.actuate.tracing.ReflectorObservations;
import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.event.DeliveryPolicy.OnError;
import dev.reflector.event.ReflectorEventPublisher;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.fixture.ManualTime;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of meters and observations of deliveries in several attempts. The test moves the
 * time.
 */
@Timeout(60)
class RetriedDeliveryTests {

	private static final MetadataAccessor<Pod> ACCESSOR = MetadataAccessor.forType(Pod.class);

	/** Duration of each call. */
	private static final Duration CALL = Duration.ofMillis(100);

	private static final Duration DELAY = Duration.ofSeconds(30);

	private final ManualTime time = new ManualTime();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Source source = new Source();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final List<Observation.Context> observed = new CopyOnWriteArrayList<>();

	private final List<Observation.Event> events = new CopyOnWriteArrayList<>();

	private final AtomicInteger failing = new AtomicInteger();

	private final AtomicInteger calls = new AtomicInteger();

	private final AtomicInteger letters = new AtomicInteger();

	private final ReflectorMetrics metrics = new ReflectorMetrics(this::reflectors, this.time);

	private final SharedInformer<Pod> informer = SharedInformer.builder("pods", this.source, ACCESSOR)
		.resourceType(ResourceType.of("v1", "Pod", "pods"))
		.options(ReflectorOptions.builder().initialList(ListSettings.InitialList.LIST).build())
		.observer(this.metrics.observer("pods"))
		.time(this.time)
		.random(new Random(1))
		.threads(this.threads)
		.build();

	@AfterEach
	void stop() throws Exception {
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		this.threads.shutdownNow();
	}

	@Test
	void eachAttemptOfAListenerIsTimedAndCountedWithoutTheDelayBetween() {
		start(publisher());
		this.failing.set(1);
		this.source.added("a");
		passDelay();
		await().until(() -> this.observed.size() == 1);
		await().untilAsserted(() -> {
			assertThat(timer().count()).isEqualTo(2);
			assertThat(this.calls).hasValue(2);
			assertThat(timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2.0 * CALL.toMillis());
			assertThat(counter("reflector.listener.errors")).isOne();
			assertThat(counter("reflector.listener.retries")).isOne();
			assertThat(this.informer.status().counts().errors()).isOne();
		});
	}

	@Test
	void theObservationOfADeliveryTellsOfItsRetriesAndFailsOnlyWhenItIsGivenUp() {
		start(publisher());
		this.failing.set(1);
		this.source.added("a");
		passDelay();
		await().until(() -> this.observed.size() == 1);
		assertThat(this.observed.get(0).getError()).isNull();
		assertThat(this.events).singleElement().satisfies((event) -> {
			assertThat(event.getName()).isEqualTo("retry");
			assertThat(event.getContextualName()).isEqualTo("retry after java.lang.IllegalStateException");
		});
		assertThat(ReflectorObservationDocumentation.DELIVERY.getEvents()).extracting(Observation.Event::getName)
			.containsExactly("retry");
	}

	@Test
	void whatIsGivenUpCountsOnceForEachAttempt() {
		start(publisher());
		this.failing.set(Integer.MAX_VALUE);
		this.source.added("a");
		passDelay();
		passDelay();
		await().until(() -> this.observed.size() == 1);
		await().untilAsserted(() -> {
			assertThat(timer().count()).isEqualTo(3);
			assertThat(timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3.0 * CALL.toMillis());
			assertThat(counter("reflector.listener.errors")).isEqualTo(3);
			assertThat(counter("reflector.listener.retries")).isEqualTo(2);
			assertThat(this.informer.status().counts().errors()).isEqualTo(3);
			assertThat(this.letters).hasValue(1);
		});
		assertThat(this.observed.get(0).getError()).isNotNull();
		assertThat(this.events).hasSize(2);
	}

	@Test
	void aStopDuringADelayIsNoTimeOfTheListener() throws Exception {
		start(publisher());
		this.failing.set(Integer.MAX_VALUE);
		this.source.added("a");
		await().until(() -> this.time.waiting().contains(DELAY));
		this.time.advance(Duration.ofSeconds(10));
		stop();
		assertThat(timer().count()).isOne();
		assertThat(timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(CALL.toMillis());
		assertThat(counter("reflector.listener.errors")).isOne();
		assertThat(counter("reflector.listener.retries")).isZero();
	}

	@Test
	void handlersAreTimedAndCountedInTheSameWay() {
		start(publisher().guarded(() -> (change) -> call(), "podHandler"));
		this.failing.set(1);
		this.source.added("a");
		passDelay();
		await().untilAsserted(() -> {
			assertThat(timer().count()).isEqualTo(2);
			assertThat(timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2.0 * CALL.toMillis());
			assertThat(counter("reflector.listener.errors")).isOne();
			assertThat(counter("reflector.listener.retries")).isOne();
		});
	}

	@Test
	void aFilterInBetweenHidesNoAttempt() {
		start(ResourceEventHandler.filtered((pod) -> true, publisher()));
		this.failing.set(1);
		this.source.added("a");
		passDelay();
		await().untilAsserted(() -> {
			assertThat(timer().count()).isEqualTo(2);
			assertThat(counter("reflector.listener.retries")).isOne();
		});
	}

	private Stream<SharedInformer<Pod>> reflectors() {
		return Stream.of(this.informer);
	}

	private ReflectorEventPublisher<Pod> publisher() {
		DeliveryPolicy policy = new DeliveryPolicy(OnError.RETRY, 3, DELAY, 1, DELAY);
		return new ReflectorEventPublisher<>(Pod.class, this.informer, (event) -> {
			if (event instanceof ResourceEvent<?>) {
				call();
			}
			if (event instanceof ResourceDeadLetterEvent<?>) {
				this.letters.incrementAndGet();
			}
		}, policy, this.time);
	}

	private void call() {
		this.calls.incrementAndGet();
		this.time.advance(CALL);
		if (this.failing.getAndDecrement() > 0) {
			throw new IllegalStateException("not yet");
		}
	}

	private void start(ResourceEventHandler<Pod> handler) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new Notes(this.observed, this.events));
		ResourceEventHandler<Pod> instrumented = handler;
		for (Instrumentation instrumentation : List.of(this.metrics, new ReflectorObservations(registry, null, null))) {
			instrumented = instrumentation.handler("pods", ACCESSOR, instrumented);
		}
		this.informer.addEventHandler(instrumented);
		this.metrics.bindTo(this.meters);
		this.informer.start();
		await().until(this.informer::hasSynced);
	}

	private void passDelay() {
		await().until(() -> this.time.waiting().contains(DELAY));
		this.time.advance(DELAY);
	}

	private Timer timer() {
		return this.meters.get("reflector.listener.duration").timer();
	}

	private double counter(String name) {
		Counter counter = this.meters.find(name).counter();
		assertThat(counter).as(name).isNotNull();
		return counter.count();
	}

	record Pod(ObjectMeta metadata) {

	}

	private static final class Notes implements ObservationHandler<Observation.Context> {

		private final List<Observation.Context> stopped;

		private final List<Observation.Event> events;

		Notes(List<Observation.Context> stopped, List<Observation.Event> events) {
			this.stopped = stopped;
			this.events = events;
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onEvent(Observation.Event event, Observation.Context context) {
			this.events.add(event);
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context);
		}

	}

	/** Lists nothing, and has one watch. */
	private static final class Source implements ListerWatcher<Pod> {

		private final Sinks.Many<WatchEvent<Pod>> watch = Sinks.many().unicast().onBackpressureBuffer();

		@Override
		public Mono<ListPage<Pod>> list(ListOptions options) {
			return Mono.just(new ListPage<>(List.of(), "1", "", List.of()));
		}

		@Override
		public Flux<WatchEvent<Pod>> watch(WatchOptions options) {
			return this.watch.asFlux();
		}

		void added(String name) {
			Pod pod = new Pod(new ObjectMeta(name, "default", null, "2", 0, Map.of(), Map.of(), null, null, List.of(),
					List.of()));
			this.watch.tryEmitNext(new WatchEvent.Added<>(pod)).orThrow();
		}

	}

}
