package dev.reflector.cache;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ProcessorListener}.
 */
class ProcessorListenerTests {

	private static final Stock<Thing> NOTHING = new Stock<>(List.of(), 0);

	private final ResourceEventHandler<Thing> handler = (change) -> {
	};

	private final SharedInformer.Config<Thing> config = new SharedInformer.Config<>("things",
			ResourceType.of("example.com/v1", "Thing", "things"), List.of(), new ScriptedSource(),
			MetadataAccessor.forType(Thing.class),
			ReflectorOptions.builder().queueCapacity(2).overflow(ReflectorOptions.Overflow.BLOCK).build(), Map.of(),
			List.of(), new ReflectorObserver() {
			}, new ManualTime(), new Random(), Runnable::run);

	private ProcessorListener<Thing> listener(ListenerKind kind) {
		return new HandlerGroup<>(this.config.delivery(), kind, this.handler,
				List.of(new ResyncClock(Duration.ZERO, Duration.ZERO, 0)), new Counters(),
				new BusyListeners(this.config.delivery(), Stream::empty))
			.first();
	}

	private Run<Thing> run() {
		Counters counters = new Counters();
		Indexer<Thing> indexer = new Indexer<>(this.config.accessor(), Map.of(), () -> {
		});
		return new Run<>(this.config, indexer, new Handlers<>(this.config.delivery(), indexer, counters), counters,
				null);
	}

	private static Change<Thing> added(int number) {
		String name = "a" + number;
		return new Change<>(Change.Type.ADDED, ResourceKey.of("default", name), Thing.of(name, "1"), null, "1", false,
				false, Change.Cause.WATCH);
	}

	@Test
	void whoWaitedForRoomAddsNothingToWhatHasBegunAnew() throws Exception {
		Run<Thing> run = run();
		for (int i = 0; i < 200; i++) {
			ProcessorListener<Thing> listener = listener(ListenerKind.EVENTS);
			listener.begin(run, () -> {
			});
			listener.join(NOTHING, 0);
			assertThat(listener.offer(List.of(added(1), added(2)), 1)).isTrue();
			Thread writer = new Thread(() -> listener.add(added(3), 3));
			writer.start();
			await().until(() -> writer.getState() == Thread.State.WAITING);
			listener.stopDelivery();
			listener.join(NOTHING, 3);
			writer.join();
			assertThat(listener.size()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRowIsTakenAsFarAsThereIsRoomAndNothingOfItTwice(ListenerKind kind) {
		ProcessorListener<Thing> listener = listener(kind);
		listener.join(NOTHING, 0);
		List<Change<Thing>> row = List.of(added(1), added(2), added(3));
		assertThat(listener.offer(row, 1)).isFalse();
		assertThat(listener.size()).isEqualTo(2);
		assertThat(listener.offer(row.subList(0, 2), 1)).isTrue();
		assertThat(listener.size()).isEqualTo(2);
		for (int i = 0; i < row.size(); i++) {
			listener.add(row.get(i), i + 1);
		}
		// nobody takes anything: a handler's queue grows, a stream ends
		assertThat(listener.size()).isEqualTo((kind == ListenerKind.EVENTS) ? 3 : 0);
		assertThat(listener.ended().toCompletableFuture().isCompletedExceptionally())
			.isEqualTo(kind == ListenerKind.STREAM);
	}

}
