package dev.reflector.event;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.call.ListenerCall;
import dev.reflector.cache.internal.call.SlowListeners;
import dev.reflector.cache.internal.delivery.DeliveryAbandonedException;
import dev.reflector.event.DeliveryPolicy.OnError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of listeners that fail or are slow.
 */
@ExtendWith(OutputCaptureExtension.class)
class ListenerFailureTests {

	@SuppressWarnings("unchecked")
	private final Reflector<Pod> reflector = mock(Reflector.class);

	private final Time time = new Time();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final Listeners listeners = new Listeners(this.time);

	@BeforeEach
	void start() {
		given(this.reflector.name()).willReturn("pods");
		this.context.registerBean(Listeners.class, () -> this.listeners);
		this.context.register(Configuration.class);
		this.context.refresh();
		new ListenerCall(this.time,
				new SlowListeners("pods",
						ReflectorOptions.builder().slowListenerThreshold(Duration.ofSeconds(5)).build().delivery(),
						this.time, Stream::empty))
			.attach();
	}

	@AfterEach
	void close() {
		ListenerCall.detach();
		this.context.close();
	}

	private ReflectorEventPublisher<Pod> publisher(OnError onError) {
		return new ReflectorEventPublisher<>(Pod.class, this.reflector, this.context,
				new DeliveryPolicy(onError, 3, Duration.ofSeconds(1), 2, Duration.ofMinutes(1)), this.time);
	}

	@Test
	void aListenerThatThrowsDoesNotKeepOthersFromHearing() {
		this.listeners.failing = 1;
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> publisher(OnError.LOG).onChange(change("a")))
			.withMessageContaining("ListenerFailureTests$Listeners.second(")
			.withMessageContaining(") threw IllegalStateException")
			.withCauseInstanceOf(IllegalStateException.class);
		assertThat(this.listeners.heard).containsExactly("first a", "second a", "third a", "dead a 1");
	}

	@Test
	void anExceptionThatIsAlwaysTheSameDoesNotGrowForEver() {
		this.listeners.always = new IllegalStateException("always the same");
		this.listeners.failing = Integer.MAX_VALUE;
		for (int i = 0; i < 200; i++) {
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> publisher(OnError.LOG).onChange(change("a")))
				.withCause(this.listeners.always);
		}
		assertThat(this.listeners.always.getSuppressed()).hasSizeBetween(1, 100);
	}

	@Test
	void othersThanMethodsAreLeftToSpring() {
		this.listeners.failing = 0;
		this.context.addApplicationListener(new Throwing());
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> publisher(OnError.LOG).onChange(change("a")))
			.withMessage("a listener threw IllegalStateException: not a method");
	}

	@Test
	void onlyTheListenerThatFailedIsCalledAgain() {
		this.listeners.failing = 2;
		CompletableFuture<Void> delivered = CompletableFuture
			.runAsync(() -> publisher(OnError.RETRY).onChange(change("a")));
		passDelay(Duration.ofSeconds(1));
		passDelay(Duration.ofSeconds(2));
		assertThat(delivered).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.listeners.heard).containsExactly("first a", "second a", "third a", "second a", "second a");
		assertThat(this.listeners.letters).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theNextAttemptMayFollowAtOnce(boolean interrupting) {
		this.listeners.failing = 2;
		this.listeners.interrupting = interrupting;
		new ReflectorEventPublisher<>(Pod.class, this.reflector, this.context,
				new DeliveryPolicy(OnError.RETRY, 3, Duration.ZERO, 2, Duration.ZERO), this.time)
			.onChange(change("a"));
		assertThat(this.listeners.heard).containsExactly("first a", "second a", "third a", "second a", "second a");
	}

	@Test
	void aLetterIsDeadWhenNoAttemptIsLeft() {
		this.listeners.failing = Integer.MAX_VALUE;
		CompletableFuture<Void> delivered = CompletableFuture
			.runAsync(() -> publisher(OnError.RETRY).onChange(change("a")));
		passDelay(Duration.ofSeconds(1));
		passDelay(Duration.ofSeconds(2));
		assertThat(delivered).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withMessageContaining("failed in 3 attempts");
		assertThat(this.listeners.letters).singleElement().satisfies((letter) -> {
			assertThat(letter.event()).isInstanceOf(ResourceAddedEvent.class);
			assertThat(letter.event().resource().metadata().name()).isEqualTo("a");
			assertThat(letter.attempts()).isEqualTo(3);
			assertThat(letter.failure()).isInstanceOf(IllegalStateException.class).hasMessage("cannot handle a");
			assertThat(letter.listeners()).singleElement().asString().contains("Listeners.second(");
			assertThat(letter.getSource()).isSameAs(this.reflector);
			assertThat(letter).hasToString("ResourceDeadLetterEvent[ResourceAddedEvent[pods default/a @ 42] after 3 "
					+ "attempts: java.lang.IllegalStateException]");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "RETRY_THEN_STOP" })
	void aStopEndsTheWaitForTheNextAttempt(OnError onError) {
		this.listeners.failing = Integer.MAX_VALUE;
		ReflectorEventPublisher<Pod> publisher = publisher(onError);
		publisher.onStart();
		CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> publisher.onChange(change("a")));
		await().until(() -> !this.time.waiting.isEmpty());
		publisher.onStop();
		assertThat(delivered).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(DeliveryAbandonedException.class);
		assertThat(this.time.waiting).isEmpty();
		assertThatExceptionOfType(DeliveryAbandonedException.class).as("does not wait while stopped")
			.isThrownBy(() -> publisher.onChange(change("b")))
			.withMessageContaining(") threw IllegalStateException: cannot handle b");
		assertThat(this.listeners.letters).as("the events come again").isEmpty();
		publisher.onStart();
		this.listeners.failing = 1;
		CompletableFuture<Void> next = CompletableFuture.runAsync(() -> publisher.onChange(change("c")));
		passDelay(Duration.ofSeconds(1));
		assertThat(next).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void anInterruptWithoutAStopEndsTheAttemptsAsIfNoneWereLeft() {
		this.listeners.failing = Integer.MAX_VALUE;
		ReflectorEventPublisher<Pod> publisher = publisher(OnError.RETRY_THEN_STOP);
		CompletableFuture<Void> delivered = new CompletableFuture<>();
		Thread delivering = new Thread(() -> {
			try {
				publisher.onChange(change("a"));
				delivered.complete(null);
			}
			catch (RuntimeException ex) {
				delivered.completeExceptionally(ex);
			}
		});
		delivering.start();
		await().until(() -> !this.time.waiting.isEmpty());
		delivering.interrupt();
		passDelay(Duration.ofSeconds(1));
		assertThat(delivered).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(DeliveryStoppedException.class);
		assertThat(this.listeners.letters).singleElement()
			.satisfies((letter) -> assertThat(letter.attempts()).isEqualTo(1));
	}

	@ParameterizedTest
	@EnumSource(names = { "LOG", "STOP" })
	void withoutFurtherAttemptsAFailureDuringAStopIsFinal(OnError onError) {
		this.listeners.failing = 1;
		ReflectorEventPublisher<Pod> publisher = publisher(onError);
		publisher.onStop();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> publisher.onChange(change("a")))
			.isNotInstanceOf(DeliveryAbandonedException.class);
		assertThat(this.listeners.letters).hasSize(1);
	}

	@Test
	void anAttemptThatIsCancelledIsTheLastAndLeavesNoDeadLetter() {
		this.listeners.failing = Integer.MAX_VALUE;
		CancellationException elsewhere = new CancellationException("delivered elsewhere");
		assertThatExceptionOfType(CancellationException.class)
			.isThrownBy(() -> new ReflectorEventPublisher<>(Pod.class, this.reflector, this.context,
					new DeliveryPolicy(OnError.RETRY_THEN_STOP, 3, Duration.ZERO, 2, Duration.ZERO), this.time)
				.onChange(change("a"), new DeliveryAttempts() {

					@Override
					public void failed(Throwable failure) {
					}

					@Override
					public void again() {
						throw elsewhere;
					}

				}))
			.isSameAs(elsewhere)
			.havingCause()
			.withMessage("cannot handle a");
		assertThat(this.listeners.heard).containsExactly("first a", "second a", "third a");
	}

	@Test
	void aDeadLetterThatCannotBeDeliveredIsTheEnd(CapturedOutput output) {
		this.listeners.failing = 1;
		this.listeners.failOnLetters = true;
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> publisher(OnError.LOG).onChange(change("a")))
			.withMessageContaining("second");
		assertThat(this.listeners.letters).hasSize(1);
		assertThat(output).contains("a listener failed on ResourceDeadLetterEvent[ResourceAddedEvent[pods default/a");
	}

	@Test
	void eachListenerOfDeadLettersIsCalledAndShownWhileItIsBusy() {
		this.listeners.failing = 1;
		this.listeners.failOnLetters = true;
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> publisher(OnError.LOG).onChange(change("a")));
		assertThat(this.listeners.busy).singleElement().asString().contains("Listeners.deadToo(");
		assertThat(ListenerCall.current().inProgress()).isNull();
	}

	@Test
	void theStackTraceOfAListenerOfDeadLettersIsShownOnceAMinute(CapturedOutput output) {
		this.listeners.failing = 3;
		this.listeners.failOnLetters = true;
		ReflectorEventPublisher<Pod> publisher = publisher(OnError.LOG);
		for (String name : List.of("a", "b", "c")) {
			if (name.equals("c")) {
				this.time.pass(Duration.ofMinutes(1));
			}
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> publisher.onChange(change(name)));
		}
		assertThat(output.getAll().split("at [^\\n]*Listeners\\.dead\\(", -1)).hasSize(3);
		assertThat(output.getAll().lines())
			.anyMatch((line) -> line.contains("ResourceAddedEvent[pods default/b")
					&& line.endsWith("no letters please (the same stack trace was logged less than a minute ago)"))
			.anyMatch(
					(line) -> line.contains("ResourceAddedEvent[pods default/c") && line.endsWith("no letters please"));
	}

	@Test
	void stopAsksForTheEndOfDelivery() {
		this.listeners.failing = 1;
		assertThatExceptionOfType(DeliveryStoppedException.class)
			.isThrownBy(() -> publisher(OnError.STOP).onChange(change("a")))
			.withMessageContaining("Listeners.second(")
			.withMessageEndingWith("failed with java.lang.IllegalStateException");
		assertThat(this.listeners.letters).hasSize(1);
	}

	@Test
	void retryThenStopAsksForTheEndOfDeliveryWhenNoAttemptIsLeft() {
		this.listeners.failing = Integer.MAX_VALUE;
		assertThatExceptionOfType(DeliveryStoppedException.class)
			.isThrownBy(() -> new ReflectorEventPublisher<>(Pod.class, this.reflector, this.context,
					new DeliveryPolicy(OnError.RETRY_THEN_STOP, 3, Duration.ZERO, 2, Duration.ZERO), this.time)
				.onChange(change("a")))
			.withMessageContaining("failed in 3 attempts");
		assertThat(this.listeners.heard).containsExactly("first a", "second a", "third a", "second a", "second a",
				"dead a 3");
		assertThat(this.listeners.letters).hasSize(1);
	}

	@Test
	void handlersFallUnderThePolicyToo() {
		AtomicInteger calls = new AtomicInteger();
		ResourceEventHandler<Pod> handler = publisher(OnError.RETRY).guarded(() -> (change) -> {
			if (calls.incrementAndGet() < 2) {
				throw new IllegalStateException("not yet");
			}
		}, "podHandler");
		CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> handler.onChange(change("a")));
		passDelay(Duration.ofSeconds(1));
		assertThat(delivered).succeedsWithin(Duration.ofSeconds(20));
		assertThat(calls).hasValue(2);
	}

	@Test
	void onlyTheFailureOfTheLastAttemptIsKept() {
		List<WeakReference<Throwable>> failures = new ArrayList<>();
		ResourceEventHandler<Pod> handler = new ReflectorEventPublisher<>(Pod.class, this.reflector, this.context,
				new DeliveryPolicy(OnError.RETRY, 10, Duration.ZERO, 1, Duration.ZERO), this.time)
			.guarded(() -> (change) -> {
				if (failures.size() == 3) {
					await().until(() -> {
						System.gc();
						return failures.get(0).refersTo(null);
					});
					return;
				}
				RuntimeException failure = new IllegalStateException("not yet");
				failures.add(new WeakReference<>(failure));
				throw failure;
			}, "podHandler");
		handler.onChange(change("a"));
		assertThat(failures).hasSize(3);
	}

	@Test
	void anExceptionWhoseCauseAsksForTheEndIsTheLastAttempt() {
		AtomicInteger calls = new AtomicInteger();
		ResourceEventHandler<Pod> handler = publisher(OnError.RETRY).guarded(() -> (change) -> {
			calls.incrementAndGet();
			throw new IllegalStateException(new DeliveryStoppedException("enough", new IllegalStateException()));
		}, "podHandler");
		assertThatExceptionOfType(ListenerFailedException.class).isThrownBy(() -> handler.onChange(change("a")));
		assertThat(calls).hasValue(1);
	}

	@Test
	void aHandlerThatAsksForTheEndIsNotRetried() {
		ResourceEventHandler<Pod> handler = publisher(OnError.RETRY).guarded(() -> (change) -> {
			throw new DeliveryStoppedException("enough", new IllegalStateException());
		}, "podHandler");
		assertThatExceptionOfType(DeliveryStoppedException.class).isThrownBy(() -> handler.onChange(change("a")))
			.withMessage("enough");
		assertThat(this.listeners.letters).singleElement()
			.satisfies((letter) -> assertThat(letter.listeners()).containsExactly("podHandler"));
	}

	@Test
	void anEventThatIsNoChangeIsRetriedWithoutADeadLetter() {
		this.listeners.failing = Integer.MAX_VALUE;
		CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> publisher(OnError.RETRY).onSynced("7"));
		passDelay(Duration.ofSeconds(1));
		passDelay(Duration.ofSeconds(2));
		assertThat(delivered).failsWithin(Duration.ofSeconds(20));
		assertThat(this.listeners.heard).containsExactly("synced", "synced", "synced");
		assertThat(this.listeners.letters).isEmpty();
	}

	@Test
	void aSlowListenerIsNamedOnceAMinute(CapturedOutput output) {
		this.listeners.duration = Duration.ofMillis(6200);
		ReflectorEventPublisher<Pod> publisher = publisher(OnError.LOG);
		publisher.onChange(change("a"));
		publisher.onChange(change("b"));
		assertThat(output).containsOnlyOnce("Listeners.second(dev.reflector.event.ResourceEvent) took 6.2 s for "
				+ "ResourceAddedEvent[pods default/a @ 42] and delayed all later events");
		assertThat(output).doesNotContain("Listeners.first(").doesNotContain("default/b");
		this.time.pass(Duration.ofMinutes(1));
		publisher.onChange(change("c"));
		assertThat(output).contains("default/c @ 42] and delayed all later events (it was slow 1 more times");
	}

	@Test
	void whatIsNotAMethodIsSlowWithoutAName(CapturedOutput output) {
		this.context.addApplicationListener((event) -> {
			if (event instanceof ResourceEvent<?>) {
				this.time.pass(Duration.ofSeconds(7));
			}
		});
		publisher(OnError.LOG).onChange(change("a"));
		assertThat(output).contains("the listener (one that is not timed separately) took 7.0 s for");
	}

	@Test
	void aSlowHandlerIsNamedByItsBean(CapturedOutput output) {
		publisher(OnError.LOG).guarded(() -> (change) -> this.time.pass(Duration.ofSeconds(9)), "podHandler")
			.onChange(change("a"));
		assertThat(output).contains("the listener podHandler took 9.0 s for ADDED default/a");
	}

	@Test
	void aPolicyHasBounds() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DeliveryPolicy(OnError.LOG, 0, Duration.ZERO, 1, Duration.ZERO));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DeliveryPolicy(OnError.LOG, 1, Duration.ZERO, 0.5, Duration.ZERO));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DeliveryPolicy(OnError.LOG, 1, Duration.ofSeconds(2), 1, Duration.ofSeconds(1)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DeliveryPolicy(OnError.LOG, 1, Duration.ofSeconds(-1), 1, Duration.ZERO));
	}

	private void passDelay(Duration delay) {
		await().until(() -> this.time.waiting.contains(delay));
		this.time.pass(delay);
	}

	private static Change<Pod> change(String name) {
		Pod pod = new Pod(ObjectMeta.of("default", name));
		return new Change<>(Change.Type.ADDED, new ResourceKey("default", name), pod, null, "42", false, false,
				Change.Cause.WATCH);
	}

	record Pod(ObjectMeta metadata) {

	}

	@org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
	static class Configuration {

		@Bean
		static ReflectorEventListenerFactory factory() {
			return new ReflectorEventListenerFactory();
		}

	}

	static class Throwing implements ApplicationListener<ResourceAddedEvent<Pod>> {

		@Override
		public void onApplicationEvent(ResourceAddedEvent<Pod> event) {
			throw new IllegalStateException("not a method");
		}

	}

	static class Listeners {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final List<ResourceDeadLetterEvent<Pod>> letters = new CopyOnWriteArrayList<>();

		/** The listeners that were busy with dead letters. */
		private final List<String> busy = new CopyOnWriteArrayList<>();

		private final Time time;

		private volatile int failing;

		private volatile RuntimeException always;

		private volatile boolean interrupting;

		private volatile boolean failOnLetters;

		private volatile Duration duration = Duration.ZERO;

		Listeners(Time time) {
			this.time = time;
		}

		@EventListener
		@Order(1)
		void first(ResourceEvent<Pod> event) {
			this.heard.add("first " + event.key().name());
			if (this.always != null) {
				throw this.always;
			}
		}

		@EventListener
		@Order(2)
		void second(ResourceEvent<Pod> event) {
			this.heard.add("second " + event.key().name());
			this.time.pass(this.duration);
			if (this.failing > 0) {
				this.failing--;
				if (this.interrupting) {
					Thread.currentThread().interrupt();
				}
				throw new IllegalStateException("cannot handle " + event.key().name());
			}
		}

		@EventListener
		@Order(3)
		void third(ResourceEvent<Pod> event) {
			this.heard.add("third " + event.key().name());
		}

		@EventListener
		void synced(ReflectorSyncedEvent event) {
			this.heard.add("synced");
			throw new IllegalStateException("cannot be synced");
		}

		@EventListener
		@Order(1)
		void dead(ResourceDeadLetterEvent<Pod> letter) {
			this.letters.add(letter);
			this.heard.add("dead " + letter.event().key().name() + " " + letter.attempts());
			if (this.failOnLetters) {
				throw new IllegalStateException("no letters please");
			}
		}

		@EventListener
		@Order(2)
		void deadToo(ResourceDeadLetterEvent<Pod> letter) {
			ListenerCall call = ListenerCall.current();
			ListenerCall.InProgress inProgress = (call != null) ? call.inProgress() : null;
			this.busy.add((inProgress != null) ? inProgress.listener() : "");
		}

	}

	/** A source of time that a test moves. */
	static final class Time implements TimeSource {

		private final List<Duration> waiting = new CopyOnWriteArrayList<>();

		private final List<Runnable> tasks = new ArrayList<>();

		private long nanos = TimeUnit.DAYS.toNanos(1);

		@Override
		public Instant now() {
			return Instant.EPOCH;
		}

		@Override
		public synchronized long nanoTime() {
			return this.nanos;
		}

		@Override
		public synchronized Runnable schedule(Duration delay, Runnable task) {
			this.tasks.add(task);
			this.waiting.add(delay);
			return () -> this.waiting.remove(delay);
		}

		void pass(Duration duration) {
			List<Runnable> due;
			synchronized (this) {
				this.nanos += duration.toNanos();
				due = List.copyOf(this.tasks);
			}
			due.forEach(Runnable::run);
		}

	}

}
