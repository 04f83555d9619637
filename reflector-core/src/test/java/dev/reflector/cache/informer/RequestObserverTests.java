package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerHarness;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.ReflectorRequest.Kind;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestEnd.Reason;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how an observer is notified of the requests of a reflector.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestObserverTests {

	private final ManualTime time = new ManualTime();

	private final ScriptedSource source = new ScriptedSource();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final BlockingQueue<Observed> requests = new LinkedBlockingQueue<>();

	private final BlockingQueue<RequestFailure> delays = new LinkedBlockingQueue<>();

	private final List<String> deliveries = new CopyOnWriteArrayList<>();

	/** The calls of an observer that was added earlier. */
	private final List<Kind> kinds = new CopyOnWriteArrayList<>();

	private volatile @Nullable RequestListener listener;

	private @Nullable SharedInformer<Thing> informer;

	@AfterEach
	void close() throws Exception {
		if (this.informer != null) {
			this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		}
		this.threads.shutdownNow();
	}

	private SharedInformer<Thing> start(InitialList initialList) {
		ReflectorOptions options = ReflectorOptions.builder()
			.initialList(initialList)
			.backoff(InformerHarness.DELAYS)
			.build();
		this.informer = SharedInformer.builder("things", new Reporting(), MetadataAccessor.forType(Thing.class))
			.options(options)
			.observer(new ReflectorObserver() {

				@Override
				public RequestObserver requested(ReflectorRequest request) {
					RequestObserverTests.this.kinds.add(request.kind());
					return RequestObserver.NONE;
				}

			})
			.observer(new Observer())
			.time(this.time)
			.random(new Random(1))
			.threads(this.threads)
			.build();
		this.informer.addEventHandler((change) -> {
		});
		this.informer.start();
		return this.informer;
	}

	private Observed next() throws InterruptedException {
		Observed next = this.requests.poll(30, TimeUnit.SECONDS);
		assertThat(next).as("a request").isNotNull();
		return next;
	}

	private Observed watching() throws InterruptedException {
		this.source.answer("1", Thing.of("a", "1"));
		start(InitialList.LIST);
		assertThat(next().request.kind()).isEqualTo(Kind.LIST);
		return next();
	}

	@Test
	void aListHasItsPagesItsObjectsAndItsBytes() throws Exception {
		this.source.answerPage("1", "more", Thing.of("a", "1"), Thing.of("b", "1")).answer("1", Thing.of("c", "1"));
		start(InitialList.LIST);
		Observed list = next();
		assertThat(list.request).isEqualTo(new ReflectorRequest(Kind.LIST, null, "0", null));
		assertThat(list.end()).isEqualTo(new RequestEnd(Reason.ENDED, null, Duration.ZERO, 3, 2, 20));
		assertThat(next().request).isEqualTo(new ReflectorRequest(Kind.WATCH, null, "1", null));
	}

	@Test
	void anObserverDoesNotReplaceTheOneBefore() throws Exception {
		watching();
		assertThat(this.kinds).containsExactly(Kind.LIST, Kind.WATCH);
	}

	@Test
	void aWatchThatTheServerClosesIsContinuedByTheNext() throws Exception {
		Observed watch = watching();
		ScriptedSource.Stream stream = this.source.nextWatch();
		stream.send(new WatchEvent.Opened<>()).added(Thing.of("b", "2")).bookmark("3");
		InformerHarness.soon().until(() -> watch.told.size() == 4);
		this.time.advance(Duration.ofSeconds(20));
		stream.close();
		assertThat(watch.end()).isEqualTo(new RequestEnd(Reason.ENDED, null, Duration.ofSeconds(20), 2, 0, 0));
		assertThat(watch.told).containsExactlyInAnyOrder("opened", "Opened", "Added 2", "Bookmark");
		InformerHarness.soon().until(() -> !this.time.waiting().isEmpty());
		this.time.advance(Duration.ofSeconds(2));
		assertThat(next().request).isEqualTo(new ReflectorRequest(Kind.WATCH, null, "3", Reason.ENDED));
	}

	@ParameterizedTest
	@CsvSource({ "LOST, LOST", "SILENT, SILENT" })
	void aWatchThatIsNotClosedByTheServerSaysSo(BrokenAnswer answer, Reason reason, CapturedOutput output)
			throws Exception {
		Observed watch = watching();
		ScriptedSource.Stream stream = this.source.nextWatch().bookmark("2");
		InformerHarness.soon().until(() -> watch.told.contains("Bookmark"));
		this.time.advance(Duration.ofSeconds(20));
		RequestListener listener = this.listener;
		assertThat(listener).isNotNull();
		listener.broken(answer);
		stream.close();
		assertThat(watch.end().reason()).isEqualTo(reason);
		assertThat(watch.end().failure()).isNull();
		assertThat(output.getOut().contains("(reflector.api-server.idle-timeout or Timeouts.idle)"))
			.isEqualTo(answer == BrokenAnswer.SILENT);
	}

	@Test
	void anErrorOfAWatchIsAFailure() throws Exception {
		Observed watch = watching();
		this.source.nextWatch().error(410, "Expired");
		RequestFailure failure = watch.end().failure();
		assertThat(watch.end().reason()).isEqualTo(Reason.FAILED);
		assertThat(failure).isNotNull();
		assertThat(failure.reason()).isEqualTo("Expired");
		assertThat(failure.status()).isNotNull().satisfies((status) -> assertThat(status.isExpired()).isTrue());
		assertThat(this.delays.poll(30, TimeUnit.SECONDS)).isEqualTo(failure);
		this.source.answer("5", Thing.of("a", "1"));
		this.time.advance(Duration.ofSeconds(1));
		assertThat(next().request.kind()).isEqualTo(Kind.LIST);
		assertThat(next().request.after()).as("after a list").isNull();
	}

	@Test
	void aMalformedWatchIsNoOtherFailure() throws Exception {
		Observed watch = watching();
		ScriptedSource.Stream stream = this.source.nextWatch().bookmark("2");
		RequestListener listener = this.listener;
		assertThat(listener).isNotNull();
		listener.broken(BrokenAnswer.MALFORMED);
		stream.error(0, "MalformedResponse");
		assertThat(watch.end().reason()).isEqualTo(Reason.MALFORMED);
	}

	@Test
	void aListThatFailsAndAWatchThatCannotBeOpened() throws Exception {
		this.source.failList(ScriptedSource.status(403, "Forbidden"));
		start(InitialList.LIST);
		RequestEnd end = next().end();
		assertThat(end.reason()).isEqualTo(Reason.FAILED);
		RequestFailure failure = end.failure();
		assertThat(failure).isNotNull();
		assertThat(failure.reason()).isEqualTo("Forbidden");
		assertThat(failure.passing()).isFalse();
		this.delays.poll(30, TimeUnit.SECONDS);
		this.source.answer("1", Thing.of("a", "1")).failWatch(ScriptedSource.status(429, "TooManyRequests"));
		this.time.advance(Duration.ofSeconds(8));
		assertThat(next().end().reason()).isEqualTo(Reason.ENDED);
		assertThat(next().end().reason()).as("of the watch").isEqualTo(Reason.FAILED);
		this.delays.poll(30, TimeUnit.SECONDS);
		this.time.advance(Duration.ofSeconds(8));
		assertThat(next().request.after()).isEqualTo(Reason.FAILED);
	}

	@Test
	void aPauseGivesTheWatchUp() throws Exception {
		Observed watch = watching();
		this.source.nextWatch().bookmark("2");
		InformerHarness.soon().until(() -> watch.told.contains("Bookmark"));
		SharedInformer<Thing> informer = this.informer;
		assertThat(informer).isNotNull();
		informer.pause();
		assertThat(watch.end().reason()).isEqualTo(Reason.GIVEN_UP);
		InformerHarness.soon().until(() -> informer.state() == ReflectorState.PAUSED);
		informer.resume();
		assertThat(next().request.after()).isEqualTo(Reason.GIVEN_UP);
	}

	@Test
	void theNextWatchReplacesThePresentOneAndContinuesNone() throws Exception {
		Observed watch = watching();
		ScriptedSource.Stream present = this.source.nextWatch()
			.send(new WatchEvent.Opened<>())
			.added(Thing.of("b", "2"));
		// the timers of the watch are set before it is reported as open
		InformerHarness.soon().until(() -> watch.told.containsAll(List.of("opened", "Added 2")));
		this.time.advance(present.options.timeout());
		Observed following = next();
		assertThat(following.request).isEqualTo(new ReflectorRequest(Kind.WATCH, null, "2", null));
		this.source.nextWatch().send(new WatchEvent.Opened<>()).added(Thing.of("c", "3"));
		assertThat(watch.end().reason()).isEqualTo(Reason.REPLACED);
		assertThat(following.told).contains("opened");
		SharedInformer<Thing> informer = this.informer;
		assertThat(informer).isNotNull();
		informer.pause();
		assertThat(following.end().events()).isEqualTo(1);
	}

	@Test
	void aStreamedListContinuesAsItsWatch() throws Exception {
		start(InitialList.STREAM);
		Observed stream = next();
		assertThat(stream.request).isEqualTo(new ReflectorRequest(Kind.STREAMED_LIST, null, "", null));
		ScriptedSource.Stream opened = this.source.nextWatch().added(Thing.of("a", "1")).endMarker("5").bookmark("6");
		InformerHarness.soon().until(() -> "6".equals(this.informer.lastSyncResourceVersion()));
		this.time.advance(Duration.ofSeconds(20));
		opened.close();
		assertThat(stream.end()).isEqualTo(new RequestEnd(Reason.ENDED, null, Duration.ofSeconds(20), 1, 0, 0));
	}

	@Test
	void aComparisonIsARequest() throws Exception {
		watching();
		this.source.nextWatch();
		this.source.answer("1", Thing.of("a", "1"));
		SharedInformer<Thing> informer = this.informer;
		assertThat(informer).isNotNull();
		informer.verify().toCompletableFuture().get(30, TimeUnit.SECONDS);
		Observed comparison = next();
		assertThat(comparison.request).isEqualTo(new ReflectorRequest(Kind.VERSIONS, null, "1", null));
		assertThat(comparison.end()).isEqualTo(new RequestEnd(Reason.ENDED, null, Duration.ZERO, 1, 1, 10));
	}

	@Test
	void aDeliveryBeginsAndEnds() throws Exception {
		Observed watch = watching();
		this.source.nextWatch().modified(Thing.of("a", "2"));
		InformerHarness.soon().untilAsserted(() -> assertThat(this.deliveries).hasSize(4));
		assertThat(watch.told).containsExactly("Modified 2");
		assertThat(this.deliveries).containsExactly("begins ADDED 1", "ends", "begins UPDATED 2", "ends");
	}

	@Test
	void aWatchThatIsNotReadIsBlocked() throws Exception {
		Observed watch = watching();
		ScriptedSource.Stream stream = this.source.nextWatch();
		// the thread of the loop waits in the observer, so it handles nothing
		watch.hold();
		stream.send(new WatchEvent.Opened<>());
		assertThat(watch.held.await(30, TimeUnit.SECONDS)).isTrue();
		for (int i = 2; i <= 64; i++) {
			stream.bookmark("" + i);
		}
		assertThat(watch.told).contains("blocked");
		this.time.advance(Duration.ofSeconds(7));
		watch.release();
		InformerHarness.soon().until(() -> watch.told.contains("unblocked PT7S"));
	}

	/** Gives the test the listener of each watch, and reports ten bytes for each page. */
	private final class Reporting extends DelegatingListerWatcher<Thing> {

		Reporting() {
			super(RequestObserverTests.this.source);
		}

		@Override
		public Mono<ListPage<Thing>> list(ListOptions options) {
			return Mono.deferContextual((context) -> {
				RequestListener.of(context).received(10);
				return super.list(options);
			});
		}

		@Override
		public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
			return Flux.deferContextual((context) -> {
				RequestObserverTests.this.listener = RequestListener.of(context);
				return super.watch(options);
			});
		}

	}

	private final class Observer implements ReflectorObserver {

		@Override
		public RequestObserver requested(ReflectorRequest request) {
			Observed observed = new Observed(request);
			RequestObserverTests.this.requests.add(observed);
			return observed;
		}

		@Override
		public void backingOff(Duration delay, RequestFailure failure) {
			RequestObserverTests.this.delays.add(failure);
		}

		@Override
		public <T> void delivering(String handler, Change<T> change, ResourceAccessor<T> accessor) {
			RequestObserverTests.this.deliveries
				.add("begins " + change.type() + " " + accessor.resourceVersion(change.object()));
		}

		@Override
		public void handled(String handler, Duration duration, boolean failed) {
			RequestObserverTests.this.deliveries.add("ends");
		}

	}

	private static final class Observed implements RequestObserver {

		private final ReflectorRequest request;

		private final List<String> told = new CopyOnWriteArrayList<>();

		private final BlockingQueue<RequestEnd> ends = new LinkedBlockingQueue<>();

		private final CountDownLatch held = new CountDownLatch(1);

		private volatile CountDownLatch released = new CountDownLatch(0);

		private @Nullable RequestEnd end;

		Observed(ReflectorRequest request) {
			this.request = request;
		}

		void hold() {
			this.released = new CountDownLatch(1);
		}

		void release() {
			this.released.countDown();
		}

		RequestEnd end() throws InterruptedException {
			if (this.end == null) {
				this.end = this.ends.poll(30, TimeUnit.SECONDS);
			}
			assertThat(this.end).as("the end of " + this.request).isNotNull();
			return this.end;
		}

		@Override
		public void opened() {
			this.told.add("opened");
			this.held.countDown();
			try {
				this.released.await(30, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
			String type = event.getClass().getSimpleName();
			if (event instanceof WatchEvent.Added<T> added) {
				type += " " + accessor.resourceVersion(added.object());
			}
			if (event instanceof WatchEvent.Modified<T> modified) {
				type += " " + accessor.resourceVersion(modified.object());
			}
			this.told.add(type);
		}

		@Override
		public void blocked() {
			this.told.add("blocked");
		}

		@Override
		public void unblocked(Duration duration) {
			this.told.add("unblocked " + duration);
		}

		@Override
		public void ended(RequestEnd end) {
			this.ends.add(end);
		}

	}

}
