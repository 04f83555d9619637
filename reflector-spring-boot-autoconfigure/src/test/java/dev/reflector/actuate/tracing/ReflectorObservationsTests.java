package dev.reflector.actuate.tracing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ReflectorObservations}.
 */
class ReflectorObservationsTests {

	private static final ListOptions LIST = new ListOptions(null, "0", 500, "");

	private static final MetadataAccessor<Pod> ACCESSOR = MetadataAccessor.forType(Pod.class);

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<Observation.Context> stopped = new ArrayList<>();

	private final AtomicReference<@Nullable Observation> current = new AtomicReference<>();

	private final Source source = new Source();

	private final ReflectorObservations observations = new ReflectorObservations(this.registry, null, null);

	@BeforeEach
	void record() {
		this.registry.observationConfig().observationHandler(new Stopped(this.stopped));
	}

	@Test
	void nothingIsPutAroundAnythingWhenNobodyObserves() {
		ReflectorObservations none = new ReflectorObservations(ObservationRegistry.NOOP, null, null);
		ResourceEventHandler<Pod> handler = (change) -> {
		};
		assertThat(none.source("pods", ACCESSOR, this.source)).isSameAs(this.source);
		assertThat(none.handler("pods", ACCESSOR, handler)).isSameAs(handler);
	}

	@Test
	void pageOfAListIsObservedAndItsRequestsBelongToIt() {
		this.observations.source("pods", ACCESSOR, this.source).list(LIST).block();
		assertThat(this.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getName()).isEqualTo("reflector.list");
			assertThat(context.getContextualName()).isEqualTo("list pods");
			assertThat(context.getLowCardinalityKeyValues()).containsExactlyInAnyOrder(KeyValue.of("reflector", "pods"),
					KeyValue.of("mode", "list"));
		});
		assertThat(this.source.parent).isInstanceOfSatisfying(Observation.class,
				(parent) -> assertThat(parent.getContext()).isSameAs(this.stopped.get(0)));
	}

	@Test
	void listThatFailsIsAnError() {
		this.source.failure = new IllegalStateException("broken");
		ListerWatcher<Pod> observed = this.observations.source("pods", ACCESSOR, this.source);
		assertThatIllegalStateException().isThrownBy(() -> observed.list(LIST).block());
		assertThat(this.stopped).singleElement()
			.satisfies((context) -> assertThat(context.getError()).isSameAs(this.source.failure));
	}

	@Test
	void streamedListIsObservedUpToItsEnd() {
		TestPublisher<WatchEvent<Pod>> events = TestPublisher.create();
		this.source.watch = events.flux();
		StepVerifier.create(this.observations.source("pods", ACCESSOR, this.source).watch(watch(true)))
			.then(() -> events.next(new WatchEvent.Added<>(pod("a"))))
			.expectNextCount(1)
			.then(() -> assertThat(this.stopped).isEmpty())
			.then(() -> events.next(new WatchEvent.Bookmark<>("9", true)))
			.expectNextCount(1)
			.then(() -> assertThat(this.stopped).hasSize(1))
			.then(() -> events.error(new IllegalStateException("later")))
			.expectError()
			.verify(Duration.ofSeconds(30));
		assertThat(this.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getLowCardinalityKeyValues()).contains(KeyValue.of("mode", "stream"));
			assertThat(context.getError()).isNull();
		});
	}

	@Test
	void streamThatFailsIsAnErrorAndOneThatIsGivenUpEnds() {
		this.source.watch = Flux.error(new IllegalStateException("broken"));
		ListerWatcher<Pod> observed = this.observations.source("pods", ACCESSOR, this.source);
		observed.watch(watch(true)).onErrorComplete().blockLast();
		this.source.watch = Flux.never();
		observed.watch(watch(true)).subscribe().dispose();
		assertThat(this.stopped).extracting((context) -> context.getError() != null).containsExactly(true, false);
	}

	@Test
	void watchAsSuchIsNotObserved() {
		this.source.watch = Flux.just(new WatchEvent.Added<>(pod("a")));
		this.observations.source("pods", ACCESSOR, this.source).watch(watch(false)).blockLast();
		assertThat(this.stopped).isEmpty();
	}

	@Test
	void listenerFindsTheObservationOfTheDelivery() {
		handler().onChange(change(false, Change.Cause.WATCH));
		Observation inside = this.current.get();
		assertThat(inside).isNotNull();
		assertThat(this.registry.getCurrentObservation()).isNull();
		assertThat(this.stopped).singleElement().satisfies((context) -> {
			assertThat(context).isSameAs(inside.getContext());
			assertThat(context.getName()).isEqualTo("reflector.delivery");
			assertThat(context.getContextualName()).isEqualTo("deliver pods");
			assertThat(context.getLowCardinalityKeyValues()).containsExactlyInAnyOrder(KeyValue.of("reflector", "pods"),
					KeyValue.of("type", "updated"));
			assertThat(context.getHighCardinalityKeyValues()).containsExactlyInAnyOrder(
					KeyValue.of("reflector.key", "default/a"), KeyValue.of("reflector.resource.version", "7"));
		});
	}

	@Test
	void listenerThatThrowsIsAnErrorAndIsHeardOf() {
		IllegalStateException failure = new IllegalStateException("broken");
		ResourceEventHandler<Pod> failing = this.observations.handler("pods", ACCESSOR, (change) -> {
			throw failure;
		});
		assertThatIllegalStateException().isThrownBy(() -> failing.onChange(change(false, Change.Cause.LIST)))
			.isSameAs(failure);
		assertThat(this.stopped).singleElement()
			.satisfies((context) -> assertThat(context.getError()).isSameAs(failure));
	}

	@Test
	void whatIsNoNewsIsDeliveredUnobserved() {
		List<Change<Pod>> handled = new ArrayList<>();
		ResourceEventHandler<Pod> handler = this.observations.handler("pods", ACCESSOR, handled::add);
		handler.onChange(change(true, Change.Cause.LIST));
		handler.onChange(change(false, Change.Cause.RESYNC));
		assertThat(handled).hasSize(2);
		assertThat(this.stopped).isEmpty();
	}

	@Test
	void conventionsOfTheApplicationNameThings() {
		ReflectorObservations named = new ReflectorObservations(this.registry, new OwnList(), new OwnDelivery());
		named.source("pods", ACCESSOR, this.source).list(LIST).block();
		named.handler("pods", ACCESSOR, (change) -> {
		}).onChange(change(false, Change.Cause.WATCH));
		assertThat(this.stopped).extracting(Observation.Context::getName).containsExactly("own.list", "own.delivery");
		assertThat(this.stopped.get(1).getLowCardinalityKeyValues()).containsExactly(KeyValue.of("cause", "WATCH"));
	}

	@Test
	void aConventionThatThrowsAffectsNeitherListsNorDeliveries() {
		RuntimeException failure = new IllegalStateException("no such key");
		ReflectorObservations failing = new ReflectorObservations(this.registry, (ListKeysOf) (context) -> {
			throw failure;
		}, (DeliveryKeysOf) (context) -> {
			throw failure;
		});
		assertThat(failing.source("pods", ACCESSOR, this.source).list(LIST).block()).isNotNull();
		List<Change<Pod>> handled = new ArrayList<>();
		failing.handler("pods", ACCESSOR, handled::add).onChange(change(false, Change.Cause.WATCH));
		assertThat(handled).hasSize(1);
		assertThat(this.registry.getCurrentObservationScope()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "start", "open", "event", "error", "close", "stop" })
	void anObservationHandlerThatThrowsReplacesNoResultOfADelivery(String step) {
		this.registry.observationConfig().observationHandler(new Failing(step));
		ResourceEventHandler<Pod> succeeding = this.observations.handler("pods", ACCESSOR, new Retrying(null));
		succeeding.onChange(change(false, Change.Cause.WATCH));
		DeliveryStoppedException stopped = new DeliveryStoppedException("enough", new IllegalStateException());
		ResourceEventHandler<Pod> stopping = this.observations.handler("pods", ACCESSOR, new Retrying(stopped));
		assertThatExceptionOfType(DeliveryStoppedException.class)
			.isThrownBy(() -> stopping.onChange(change(false, Change.Cause.WATCH)))
			.isSameAs(stopped);
		assertThat(this.registry.getCurrentObservationScope()).isNull();
	}

	@Test
	void documentedKeysAreThoseThatAreUsed() {
		this.observations.source("pods", ACCESSOR, this.source).list(LIST).block();
		handler().onChange(change(false, Change.Cause.WATCH));
		for (int i = 0; i < 2; i++) {
			ReflectorObservationDocumentation documented = ReflectorObservationDocumentation.values()[i];
			assertThat(keys(documented.getLowCardinalityKeyNames())).containsExactlyInAnyOrderElementsOf(
					this.stopped.get(i).getLowCardinalityKeyValues().stream().map(KeyValue::getKey).toList());
			assertThat(keys(documented.getHighCardinalityKeyNames())).containsExactlyInAnyOrderElementsOf(
					this.stopped.get(i).getHighCardinalityKeyValues().stream().map(KeyValue::getKey).toList());
		}
	}

	private static List<String> keys(KeyName[] names) {
		return List.of(names).stream().map(KeyName::asString).toList();
	}

	private ResourceEventHandler<Pod> handler() {
		return this.observations.handler("pods", ACCESSOR,
				(change) -> this.current.set(this.registry.getCurrentObservation()));
	}

	private static Change<Pod> change(boolean initial, Change.Cause cause) {
		return new Change<>(Change.Type.UPDATED, new ResourceKey("default", "a"), pod("a"), pod("a"), "7", initial,
				false, cause);
	}

	private static WatchOptions watch(boolean sendInitialEvents) {
		return new WatchOptions(null, "", Duration.ofMinutes(5), true, sendInitialEvents);
	}

	private static Pod pod(String name) {
		return new Pod(ObjectMeta.of("default", name));
	}

	record Pod(ObjectMeta metadata) {

	}

	private static final class OwnList implements ReflectorListObservationConvention {

		@Override
		public String getName() {
			return "own.list";
		}

	}

	private static final class OwnDelivery implements ReflectorDeliveryObservationConvention {

		@Override
		public String getName() {
			return "own.delivery";
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(ReflectorDeliveryContext context) {
			return KeyValues.of("cause", context.getChange().cause().name());
		}

	}

	/** Supplies the keys of a list. */
	private interface ListKeysOf extends ReflectorListObservationConvention {

		KeyValues keys(ReflectorListContext context);

		@Override
		default KeyValues getLowCardinalityKeyValues(ReflectorListContext context) {
			return keys(context);
		}

	}

	/** Supplies the keys of a delivery. */
	private interface DeliveryKeysOf extends ReflectorDeliveryObservationConvention {

		KeyValues keys(ReflectorDeliveryContext context);

		@Override
		default KeyValues getLowCardinalityKeyValues(ReflectorDeliveryContext context) {
			return keys(context);
		}

	}

	/** Makes two attempts, of which the last may fail. */
	private record Retrying(@Nullable RuntimeException failure) implements ResourceEventHandler<Pod> {

		@Override
		public void onChange(Change<Pod> change) {
			onChange(change, DeliveryAttempts.NONE);
		}

		@Override
		public void onChange(Change<Pod> change, DeliveryAttempts attempts) {
			attempts.failed(new IllegalStateException("not yet"));
			attempts.again();
			if (this.failure != null) {
				throw this.failure;
			}
		}

	}

	/** Throws an exception in one of its methods. */
	private record Failing(String step) implements ObservationHandler<Observation.Context> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStart(Observation.Context context) {
			fail("start");
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			fail("open");
		}

		@Override
		public void onEvent(Observation.Event event, Observation.Context context) {
			fail("event");
		}

		@Override
		public void onError(Observation.Context context) {
			fail("error");
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			fail("close");
		}

		@Override
		public void onStop(Observation.Context context) {
			fail("stop");
		}

		private void fail(String step) {
			if (step.equals(this.step)) {
				throw new IllegalStateException(step + " has failed");
			}
		}

	}

	private static final class Stopped implements ObservationHandler<Observation.Context> {

		private final List<Observation.Context> contexts;

		Stopped(List<Observation.Context> contexts) {
			this.contexts = contexts;
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStop(Observation.Context context) {
			this.contexts.add(context);
		}

	}

	private static final class Source implements ListerWatcher<Pod> {

		private Flux<WatchEvent<Pod>> watch = Flux.never();

		private @Nullable Exception failure;

		private @Nullable Object parent;

		@Override
		public Mono<ListPage<Pod>> list(ListOptions options) {
			return Mono.deferContextual((context) -> {
				this.parent = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
				return (this.failure != null) ? Mono.error(this.failure)
						: Mono.just(new ListPage<>(List.of(), "1", "", List.of()));
			});
		}

		@Override
		public Flux<WatchEvent<Pod>> watch(WatchOptions options) {
			return this.watch;
		}

	}

}
