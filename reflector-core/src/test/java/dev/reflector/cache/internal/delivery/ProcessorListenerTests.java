package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.call.SlowListeners;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.InitialObjects;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ProcessorListener}.
 */
class ProcessorListenerTests {

	private static final InitialObjects<Thing> NOTHING = new InitialObjects<>(List.of(), 0);

	private final ResourceEventHandler<Thing> handler = (change) -> {
	};

	private final DeliverySetup<Thing> setup = new DeliverySetup<>("things", MetadataAccessor.forType(Thing.class),
			new QueueSettings(QueueSettings.Ordering.ARRIVAL, 2, QueueSettings.Overflow.BLOCK),
			ReflectorOptions.DEFAULT.delivery(), new ReflectorObserver() {
			}, new ManualTime(), new DeliveryGate.Always<>());

	private ProcessorListener<Thing> listener(ListenerKind kind) {
		return new HandlerGroup<>(this.setup, kind, this.handler, "handler",
				List.of(new ResyncClock(Duration.ZERO, Duration.ZERO, 0)), new Counters(),
				new SlowListeners("things", ReflectorOptions.DEFAULT.delivery(), this.setup.time(), Stream::empty))
			.first();
	}

	private static Change<Thing> added(int number) {
		String name = "a" + number;
		return new Change<>(Change.Type.ADDED, ResourceKey.of("default", name), Thing.of(name, "1"), null, "1", false,
				false, Change.Cause.WATCH);
	}

	@Test
	void aWriterThatWaitedForRoomAddsNothingAfterTheListenerJoinedAgain() throws Exception {
		Object run = new Object();
		for (int i = 0; i < 200; i++) {
			ProcessorListener<Thing> listener = listener(ListenerKind.EVENTS);
			listener.begin(run, () -> {
			});
			listener.pending().join(NOTHING, 0);
			assertThat(listener.pending().offer(List.of(added(1), added(2)), 1)).isTrue();
			Thread writer = new Thread(() -> listener.add(added(3), 3));
			writer.start();
			await().until(() -> writer.getState() == Thread.State.WAITING);
			listener.stopDelivery();
			listener.pending().join(NOTHING, 3);
			writer.join();
			assertThat(listener.size()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRowIsTakenAsFarAsThereIsRoomAndNoChangeTwice(ListenerKind kind) {
		ProcessorListener<Thing> listener = listener(kind);
		listener.pending().join(NOTHING, 0);
		List<Change<Thing>> row = List.of(added(1), added(2), added(3));
		assertThat(listener.pending().offer(row, 1)).isFalse();
		assertThat(listener.size()).isEqualTo(2);
		assertThat(listener.pending().offer(row.subList(0, 2), 1)).isTrue();
		assertThat(listener.size()).isEqualTo(2);
		for (int i = 0; i < row.size(); i++) {
			listener.add(row.get(i), i + 1);
		}
		// no thread takes changes: the queue of a handler grows, a stream ends with an
		// error
		assertThat(listener.size()).isEqualTo((kind == ListenerKind.EVENTS) ? 3 : 0);
		assertThat(listener.ended().toCompletableFuture().isCompletedExceptionally())
			.isEqualTo(kind == ListenerKind.STREAM);
	}

}
