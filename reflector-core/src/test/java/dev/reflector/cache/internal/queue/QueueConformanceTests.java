package dev.reflector.cache.internal.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.store.KnownObjects;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for its queues that hold for both orderings.
 */
@Timeout(60)
class QueueConformanceTests {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void close() {
		this.threads.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource
	void c089_c128_theDeltasOfOneWriterStayInOrder(Ordering ordering) throws Exception {
		QueueFixture queue = new QueueFixture(ordering);
		List<CompletableFuture<Void>> writers = new ArrayList<>();
		for (String writer : List.of("a", "b")) {
			writers.add(CompletableFuture.runAsync(() -> {
				for (int i = 0; i < 500; i++) {
					queue.add(writer + i + "@" + (i + 1));
				}
			}, this.threads));
		}
		Map<Character, List<Integer>> versions = new HashMap<>();
		for (int i = 0; i < 1000; i++) {
			QueueFixture.popBatch(queue.fifo, (deltas, initial) -> deltas.forEach((delta) -> {
				Thing thing = ((Delta.Upsert<Thing>) delta).object();
				versions.computeIfAbsent(thing.name().charAt(0), (writer) -> new ArrayList<>())
					.add(Integer.parseInt(thing.version()));
			}), 1);
		}
		for (CompletableFuture<Void> writer : writers) {
			writer.get(30, TimeUnit.SECONDS);
		}
		assertThat(versions).containsOnlyKeys('a', 'b');
		assertThat(versions.values()).allSatisfy((ofWriter) -> assertThat(ofWriter).hasSize(500).isSorted());
		assertThat(queue.fifo.size()).isZero();
	}

	@Test
	void c115_c153_deltasOfObjectsCarryTheirKeys() {
		QueueFixture byKey = new QueueFixture(Ordering.PER_KEY).know("b@1", "c@1", "d@1");
		byKey.replace("2", "a@2").add("c@3").update("c@4");
		assertThat(keysByPop(byKey)).containsExactlyInAnyOrder("[a]", "[b]", "[c, c, c]", "[d]");
		QueueFixture arrival = new QueueFixture(Ordering.ARRIVAL);
		arrival.add("a@1").delete("b@1");
		arrival.fifo.delete(QueueFixture.key("c"));
		assertThat(keysByPop(arrival)).containsExactly("[a]", "[b]", "[c]");
	}

	private List<String> keysByPop(QueueFixture queue) {
		List<String> keys = new ArrayList<>();
		while (queue.fifo.size() > 0) {
			QueueFixture.popBatch(queue.fifo,
					(deltas, initial) -> keys.add(deltas.stream()
						.map((delta) -> (delta instanceof Delta.Upsert<Thing> upsert) ? upsert.key()
								: ((Delta.Deleted<Thing>) delta).key())
						.peek((key) -> assertThat(key.namespace()).isEqualTo("default"))
						.map((key) -> key.name())
						.toList()
						.toString()),
					1);
		}
		return keys;
	}

	@ParameterizedTest
	@EnumSource
	void theConsumerTakesARowOfDeltasAfterWake(Ordering ordering) throws Exception {
		QueueFixture queue = new QueueFixture(ordering);
		List<Integer> popped = new CopyOnWriteArrayList<>();
		Thread consumer = consumer(queue, popped);
		queue.fifo.add(QueueFixture.thing("a@1"));
		queue.fifo.update(QueueFixture.thing("b@2"));
		queue.fifo.delete(QueueFixture.thing("a@3"));
		queue.fifo.update(QueueFixture.thing("c@4"));
		assertThat(queue.fifo.size()).isEqualTo(4);
		assertThat(popped).isEmpty();
		queue.fifo.wake();
		queue.fifo.close();
		consumer.join(30_000);
		assertThat(popped).isEqualTo((ordering == Ordering.ARRIVAL) ? List.of(2, 2) : List.of(2, 1, 1));
	}

	@ParameterizedTest
	@EnumSource
	void aWriterThatFindsNoRoomWakesTheConsumer(Ordering ordering) throws Exception {
		QueueFixture queue = new QueueFixture(ordering, 1, 2);
		Thread consumer = consumer(queue, new CopyOnWriteArrayList<>());
		CompletableFuture.runAsync(
				() -> Stream.of("a@1", "b@2", "c@3", "d@4", "e@5").map(QueueFixture::thing).forEach(queue.fifo::add),
				this.threads)
			.get(30, TimeUnit.SECONDS);
		queue.fifo.close();
		consumer.join(30_000);
		assertThat(queue.fifo.size()).isZero();
	}

	/** Starts a consumer, and waits until it waits for deltas. */
	private static Thread consumer(QueueFixture queue, List<Integer> popped) {
		Thread consumer = new Thread(() -> {
			while (QueueFixture.popBatch(queue.fifo, (deltas, initial) -> popped.add(deltas.size()), 10)) {
				// until it is closed
			}
		});
		consumer.start();
		await().until(() -> consumer.getState() == Thread.State.WAITING);
		return consumer;
	}

	@ParameterizedTest
	@EnumSource
	void c121_c157_closeEndsEveryPopThatWaits(Ordering ordering) throws Exception {
		QueueFixture queue = new QueueFixture(ordering);
		List<Thread> threads = new ArrayList<>();
		List<CompletableFuture<Boolean>> pops = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			CompletableFuture<Boolean> pop = new CompletableFuture<>();
			Thread thread = new Thread(() -> pop.complete(QueueFixture.popBatch(queue.fifo, (deltas, initial) -> {
				throw new IllegalStateException("nothing was queued");
			}, 1)));
			thread.setDaemon(true);
			thread.start();
			threads.add(thread);
			pops.add(pop);
		}
		await().until(() -> threads.stream().allMatch((thread) -> thread.getState() == Thread.State.WAITING));
		queue.fifo.close();
		for (CompletableFuture<Boolean> pop : pops) {
			assertThat(pop.get(30, TimeUnit.SECONDS)).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource
	void c166_c169_c289_c291_anObjectWithoutAKeyIsRefusedAndTheOthersGoOn(Ordering ordering) {
		QueueFixture queue = new QueueFixture(ordering);
		Thing nameless = Thing.of("", "9");
		Thing bare = new Thing(null, "");
		queue.add("a@1");
		assertThatIllegalArgumentException().isThrownBy(() -> queue.fifo.add(nameless));
		queue.update("b@2");
		assertThatIllegalArgumentException().isThrownBy(() -> queue.fifo.update(bare));
		assertThatIllegalArgumentException().isThrownBy(() -> queue.fifo.delete(bare));
		queue.add("c@3");
		Set<String> popped = new HashSet<>(queue.popAll());
		assertThat(popped).containsExactlyInAnyOrder("[ADDED a@1]", "[UPDATED b@2]", "[ADDED c@3]");
	}

	@ParameterizedTest
	@EnumSource
	void x16_writersWaitWhileTheQueueIsFullAndOnlyThen(Ordering ordering) throws Exception {
		QueueFixture queue = new QueueFixture(ordering, 1, 3);
		queue.add("a@1", "b@2", "c@3");
		Thread fourth = new Thread(() -> queue.add("d@4"));
		fourth.setDaemon(true);
		fourth.start();
		await().until(() -> fourth.getState() == Thread.State.WAITING);
		assertThat(queue.fifo.size()).isEqualTo(3);
		assertThat(queue.pop()).isEqualTo("[ADDED a@1]");
		fourth.join(30_000);
		assertThat(fourth.isAlive()).isFalse();
		assertThat(queue.popAll()).containsExactly("[ADDED b@2]", "[ADDED c@3]", "[ADDED d@4]");
	}

	@Test
	void x16_whileABatchIsProcessedWritersGoOnUntilTheQueueIsFull() throws Exception {
		QueueFixture queue = new QueueFixture(Ordering.ARRIVAL, 1, 3);
		queue.add("a@1", "b@2");
		CountDownLatch processing = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Boolean> batch = CompletableFuture
			.supplyAsync(() -> QueueFixture.popBatch(queue.fifo, (deltas, initial) -> {
				processing.countDown();
				awaitUninterruptibly(goOn);
			}, 1000), this.threads);
		assertThat(processing.await(30, TimeUnit.SECONDS)).isTrue();
		// the lock is not held: these return at once
		queue.add("c@3", "d@4", "e@5");
		assertThat(queue.fifo.size()).isEqualTo(5);
		Thread late = new Thread(() -> queue.add("f@6"));
		late.setDaemon(true);
		late.start();
		await().until(() -> late.getState() == Thread.State.WAITING);
		assertThat(batch).isNotDone();
		goOn.countDown();
		assertThat(batch.get(30, TimeUnit.SECONDS)).isTrue();
		assertThat(queue.popBatch(2)).isEqualTo("[ADDED c@3, ADDED d@4]");
		late.join(30_000);
		assertThat(queue.popAll()).containsExactly("[ADDED e@5]", "[ADDED f@6]");
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@ParameterizedTest
	@EnumSource
	void x17_aQueueWithoutRoomOrScopesIsRefused(Ordering ordering) {
		assertThatIllegalArgumentException().isThrownBy(() -> new QueueFixture(ordering, 1, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new QueueFixture(ordering, 0, 1));
		assertThat(new QueueFixture(ordering, 1, 1).add("a@1").popAll()).containsExactly("[ADDED a@1]");
	}

	@Test
	void x17_inArrivalOrderTheKnownObjectsAreNeverRead() {
		MetadataAccessor<Thing> accessor = MetadataAccessor.forType(Thing.class);
		DeltaFifo<Thing> fifo = DeltaFifo.create(new QueueSettings(Ordering.ARRIVAL, 10, Overflow.BLOCK), accessor,
				new UnknownObjects(), 1);
		fifo.delete(new Thing(ObjectMeta.of("default", "a"), ""));
		fifo.replace(new Delta.Replacement<>(null, Map.of(), "1", Set.of()));
		fifo.resync(null, () -> true);
		assertThat(fifo.size()).isEqualTo(3);
	}

	/** Fails when it is read. */
	private static final class UnknownObjects implements KnownObjects<Thing> {

		@Override
		public Thing get(ResourceKey key) {
			throw new IllegalStateException("asked for " + key);
		}

		@Override
		public void forEach(BiConsumer<ResourceKey, Thing> action) {
			throw new IllegalStateException("asked for everything");
		}

	}

}
