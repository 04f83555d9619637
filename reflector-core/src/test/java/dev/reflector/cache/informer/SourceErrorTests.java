package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.reflector.ReflectorState;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Errors of a source that Reactor throws instead of passing them on are failures like any
 * other.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class SourceErrorTests {

	private final InformerFixture fixture = new InformerFixture();

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource
	void aListThatDiesOfAnErrorIsRepeated(Way way) {
		AtomicInteger left = new AtomicInteger(2);
		this.fixture.listerWatcher = new DyingSource(this.fixture.source) {

			@Override
			public Mono<ListPage<Thing>> list(ListOptions options) {
				return (left.getAndDecrement() > 0) ? Mono.from(way.dying(this::die)) : super.list(options);
			}

		};
		this.fixture.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing());
		awaitFailures(2);
		this.fixture.awaitMirror("a@1");
	}

	@Test
	void aSourceThatIgnoresTheNamespaceIsWarnedOf(CapturedOutput output) throws Exception {
		TestInformer things = TestInformer.with(TestInformer.options(), "east");
		try {
			things.startWith("1", Thing.of("a", "1"), Thing.of("b", "1"));
			await().until(things.informer::hasSynced);
			assertThat(output).containsOnlyOnce("Reflector 'things' in namespace 'east': the source has listed "
					+ "default/a, which is not in this namespace.");
		}
		finally {
			things.close();
		}
	}

	/** An error of unknown origin ends no watch. */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER_CLASS")
	void aWatchThatDiesOfAnErrorIsRepeated(Way way) throws Exception {
		AtomicInteger left = new AtomicInteger(2);
		ListerWatcher<Thing> dying = new DyingSource(this.fixture.source) {

			@Override
			public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
				return (left.getAndDecrement() > 0) ? way.dying(this::die) : super.watch(options);
			}

		};
		// another source in front of it
		this.fixture.listerWatcher = new DelegatingListerWatcher<>(dying) {
		};
		this.fixture.source.answer("1").answer("2").answer("3");
		this.fixture.start(InformerFixture.listing());
		awaitFailures(2);
		this.fixture.source.nextWatch().added(Thing.of("a", "4"));
		this.fixture.awaitMirror("a@4");
	}

	@Test
	void aSourceThatDiesWhileItWaitsForARecoveryIsAskedAgainAfterTheDelay(CapturedOutput output) {
		AtomicInteger calls = new AtomicInteger();
		this.fixture.listerWatcher = new DyingSource(this.fixture.source) {

			@Override
			public Mono<Void> awaitRecovery(Throwable failure) {
				return switch (calls.getAndIncrement()) {
					case 0 -> throw new IllegalStateException("unknown failure");
					case 1 -> die();
					default -> Way.SUBSCRIPTION.<Void>dying(this::die).then();
				};
			}

		};
		for (int i = 0; i < 3; i++) {
			this.fixture.source.failList(ScriptedSource.status(500, "InternalError"));
		}
		this.fixture.source.answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing());
		for (int i = 1; i <= 3; i++) {
			this.fixture.passDelay(i);
			await().until(() -> this.fixture.informer.state() == ReflectorState.BACKING_OFF);
		}
		this.fixture.awaitMirror("a@1");
		assertThat(output).containsOnlyOnce("awaitRecovery of the source has failed");
	}

	@Test
	void aSourceThatDiesWhileItWaitsForATypeIsAskedAgain() {
		this.fixture.listerWatcher = new DyingSource(this.fixture.source) {

			@Override
			public Mono<Void> awaitType() {
				return die();
			}

		};
		this.fixture.source.failList(new TypeNotServedException("not served")).answer("1", Thing.of("a", "1"));
		this.fixture.start(InformerFixture.listing());
		Duration longest = InformerFixture.EXACT.max();
		await().until(() -> this.fixture.time.waiting().contains(longest));
		this.fixture.time.advance(longest);
		this.fixture.awaitMirror("a@1");
	}

	private void awaitFailures(int count) {
		for (int i = 1; i <= count; i++) {
			assertThat(this.fixture.passDelay(i)).isLessThan(Duration.ofSeconds(2));
			await().until(() -> this.fixture.informer.status().lastError() != null);
			assertThat(this.fixture.informer.status().lastError().message()).contains("com/example/Missing");
		}
	}

	/** The place where the error is thrown. */
	enum Way {

		/** The method itself throws. */
		CALL {

			@Override
			<X> Flux<X> dying(Supplier<X> die) {
				return Flux.just(die.get());
			}

		},

		/** The returned publisher throws on the thread of the subscriber. */
		SUBSCRIPTION {

			@Override
			<X> Flux<X> dying(Supplier<X> die) {
				return Mono.fromSupplier(die).flux();
			}

		},

		/** The returned publisher throws on another thread. */
		OTHER_THREAD {

			@Override
			<X> Flux<X> dying(Supplier<X> die) {
				return Mono.fromSupplier(die).subscribeOn(Schedulers.boundedElastic()).flux();
			}

		},

		/** While a result is passed on, on another thread. */
		OPERATOR {

			@Override
			<X> Flux<X> dying(Supplier<X> die) {
				return Flux.just(1).publishOn(Schedulers.parallel()).map((one) -> die.get());
			}

		},

		/** A class that the source calls throws, so that no frame names the source. */
		OTHER_CLASS {

			@Override
			<X> Flux<X> dying(Supplier<X> die) {
				return Mono.fromSupplier(Client::<X>die).subscribeOn(Schedulers.boundedElastic()).flux();
			}

		};

		abstract <X> Flux<X> dying(Supplier<X> die);

	}

	private static final class Client {

		static <X> X die() {
			throw new NoClassDefFoundError("com/example/Missing");
		}

	}

	private abstract static class DyingSource extends DelegatingListerWatcher<Thing> {

		DyingSource(ListerWatcher<Thing> delegate) {
			super(delegate);
		}

		<X> X die() {
			throw new NoClassDefFoundError("com/example/Missing");
		}

	}

}
