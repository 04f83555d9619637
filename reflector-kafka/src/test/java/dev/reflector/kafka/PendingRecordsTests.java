package dev.reflector.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.handler.Change;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the records in flight.
 */
@Timeout(60)
class PendingRecordsTests {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	private final Map<String, CompletableFuture<Object>> answers = new ConcurrentHashMap<>();

	private final List<Change.Type> acknowledged = new CopyOnWriteArrayList<>();

	private volatile Function<String, CompletableFuture<?>> producer = (value) -> this.answers.computeIfAbsent(value,
			(key) -> new CompletableFuture<>());

	private volatile PendingRecords.Verdict verdict = PendingRecords.Verdict.SEND_AGAIN;

	private volatile Runnable again = () -> {
	};

	private volatile PendingRecords.Due due = PendingRecords.Due.SEND;

	private final SystemTimeSource time = new SystemTimeSource();

	private final PendingRecords pending = new PendingRecords("widgets", 3, (record) -> {
		String value = new String(record.value());
		this.sent.add(value);
		return this.producer.apply(value);
	}, new PendingRecords.Outcomes() {

		@Override
		public void acknowledged(Change.Type type) {
			PendingRecordsTests.this.acknowledged.add(type);
		}

		@Override
		public PendingRecords.Verdict failed(ProducerRecord<String, byte[]> record, Throwable failure) {
			return PendingRecordsTests.this.verdict;
		}

		@Override
		public void again() {
			PendingRecordsTests.this.again.run();
		}

	}, this.time);

	private final List<Thread> threads = new ArrayList<>();

	@AfterEach
	void close() {
		this.pending.close();
		this.threads.forEach(Thread::interrupt);
		this.time.close();
	}

	private void add(String key, String value) {
		try {
			this.pending.add(new ProducerRecord<>("topic", key, value.getBytes()), Change.Type.UPDATED, () -> this.due);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Adds records one after the other on a separate thread. */
	private Thread adding(String... records) {
		Thread thread = new Thread(() -> {
			for (String record : records) {
				add(record.substring(0, 1), record);
			}
		});
		this.threads.add(thread);
		thread.start();
		return thread;
	}

	private void acknowledge(String value) {
		// the thread that sends a record has noted that before there can be an answer
		CompletableFuture<Object> answer = await().until(() -> this.answers.get(value), Objects::nonNull);
		answer.complete("");
	}

	private static void awaitWaiting(Thread thread) {
		await().until(() -> thread.getState() == Thread.State.WAITING);
	}

	@Test
	void largeRecordsWaitForRoomAndOneThatIsLargerThanTheRoomIsTakenAlone() {
		String large = "a" + "x".repeat((int) PendingRecords.MOST_BYTES);
		add("a", large);
		Thread next = adding("b1", "c1");
		awaitWaiting(next);
		assertThat(this.sent).hasSize(1);
		acknowledge(large);
		await().until(() -> this.sent.size() == 3);
		assertThat(this.sent.subList(1, 3)).containsExactly("b1", "c1");
	}

	@Test
	void recordsOfDifferentKeysAreInFlightTogether() {
		add("a", "a1");
		add("b", "b1");
		assertThat(this.sent).containsExactly("a1", "b1");
		assertThat(this.pending.size()).isEqualTo(2);
		assertThat(this.pending.settled()).isNotDone();
		acknowledge("b1");
		assertThat(this.pending.settled()).isNotDone();
		acknowledge("a1");
		assertThat(this.pending.settled()).isCompleted();
		assertThat(this.pending.size()).isZero();
		assertThat(this.pending.age()).isZero();
		assertThat(this.acknowledged).hasSize(2);
	}

	@Test
	void aRecordWaitsForTheOneBeforeItOfTheSameKey() {
		add("a", "a1");
		add("a", "a2");
		add("b", "b1");
		assertThat(this.sent).containsExactly("a1", "b1");
		assertThat(this.pending.size()).isEqualTo(3);
		acknowledge("b1");
		acknowledge("a1");
		await().until(() -> this.sent.size() == 3);
		assertThat(this.sent).containsExactly("a1", "b1", "a2");
		assertThat(this.pending.settled()).isNotDone();
		acknowledge("a2");
		await().untilAsserted(() -> assertThat(this.pending.settled()).isCompleted());
	}

	@Test
	void noMoreThanTheCapacityIsInFlight() {
		Thread thread = adding("a1", "b1", "c1", "d1");
		awaitWaiting(thread);
		assertThat(this.sent).containsExactly("a1", "b1", "c1");
		assertThat(this.pending.size()).isEqualTo(3);
		acknowledge("b1");
		await().until(() -> this.sent.contains("d1"));
	}

	@Test
	void whatHasFailedIsSentAgainBeforeLaterRecordsOfItsKey() {
		this.producer = (value) -> CompletableFuture.failedFuture(new TimeoutException("gone"));
		add("a", "a1");
		add("a", "a2");
		await().until(() -> this.sent.size() > 1);
		assertThat(this.sent).containsOnly("a1");
		assertThat(this.pending.settled()).isNotDone();
		this.producer = (value) -> CompletableFuture.completedFuture("");
		await().until(() -> this.acknowledged.size() == 2);
		assertThat(this.sent).last().isEqualTo("a2");
		assertThat(this.sent.subList(0, this.sent.size() - 1)).containsOnly("a1");
	}

	@Test
	void aTransportThatThrowsHasFailed() {
		this.producer = (value) -> {
			throw new TimeoutException("no room");
		};
		add("a", "a1");
		this.producer = (value) -> CompletableFuture.completedFuture("");
		await().until(() -> this.acknowledged.size() == 1);
	}

	@Test
	void aTransportThatThrowsAnErrorHasFailed() {
		this.producer = (value) -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		add("a", "a1");
		// the attempt of the thread that sends again fails, too
		await().until(() -> this.sent.size() > 1);
		this.producer = (value) -> CompletableFuture.completedFuture("");
		await().until(() -> this.acknowledged.size() == 1);
	}

	@Test
	void anErrorBeforeAFurtherAttemptBlocksNoRecord() {
		this.producer = (value) -> CompletableFuture.failedFuture(new TimeoutException("gone"));
		AtomicInteger errors = new AtomicInteger();
		this.again = () -> {
			if (errors.getAndIncrement() == 0) {
				throw new OutOfMemoryError("no memory for a producer");
			}
		};
		add("a", "a1");
		add("b", "b1");
		await().until(() -> errors.get() > 0);
		this.producer = (value) -> CompletableFuture.completedFuture("");
		await().until(() -> this.acknowledged.size() == 2);
		await().until(() -> this.pending.settled().isDone());
	}

	@Test
	void whatIsPassedOverLetsTheNextOneFollow() {
		this.verdict = PendingRecords.Verdict.PASS_OVER;
		this.producer = (value) -> value.equals("a1")
				? CompletableFuture.failedFuture(new IllegalStateException("too large"))
				: CompletableFuture.completedFuture("");
		add("a", "a1");
		assertThat(this.pending.settled()).isCompleted();
		add("a", "a2");
		assertThat(this.sent).containsExactly("a1", "a2");
	}

	@Test
	void whatStopsTheDeliveryFailsTheMarkBehindIt() {
		add("a", "a1");
		CompletableFuture<Void> mark = this.pending.settled();
		this.verdict = PendingRecords.Verdict.STOP;
		CompletableFuture<Object> answer = this.answers.get("a1");
		assertThat(answer).isNotNull();
		answer.completeExceptionally(new IllegalStateException("too large"));
		assertThat(mark).isCompletedExceptionally();
		assertThat(this.pending.size()).isZero();
	}

	@Test
	void aRecordThatIsNotWantedAnyMoreIsLeftOut() throws InterruptedException {
		this.pending.add(new ProducerRecord<>("topic", "a", "a1".getBytes()), Change.Type.DELETED,
				() -> PendingRecords.Due.LEAVE_OUT);
		assertThat(this.sent).isEmpty();
		assertThat(this.pending.settled()).isCompleted();
		this.pending.await(Duration.ofSeconds(1));
	}

	@Test
	void whatHasFailedIsNotSentAgainWhenAnotherReplicaDelivers() {
		this.producer = (value) -> CompletableFuture.failedFuture(new TimeoutException("gone"));
		add("a", "a1");
		add("a", "a2");
		CompletableFuture<Void> mark = this.pending.settled();
		await().until(() -> this.sent.size() > 1);
		this.due = PendingRecords.Due.GIVE_UP;
		await().until(() -> this.pending.size() == 0);
		await().untilAsserted(() -> assertThat(mark).isCompletedExceptionally());
		int before = this.sent.size();
		this.producer = (value) -> CompletableFuture.completedFuture("");
		this.due = PendingRecords.Due.SEND;
		add("a", "a3");
		assertThat(this.sent.subList(before, this.sent.size())).containsExactly("a3");
		assertThat(this.sent).doesNotContain("a2");
	}

	@Test
	void aRecordOfAnEarlierEpochDoesNotEndTheWaitForTheOthers() {
		this.producer = (value) -> value.equals("a1") ? CompletableFuture.failedFuture(new TimeoutException("gone"))
				: this.answers.computeIfAbsent(value, (key) -> new CompletableFuture<>());
		add("a", "a1");
		add("b", "b1");
		CompletableFuture<Boolean> settled = awaitSettled();
		await().until(() -> this.sent.size() > 2);
		this.due = PendingRecords.Due.GIVE_UP;
		await().until(() -> this.pending.size() == 1);
		assertThat(settled).isNotDone();
		acknowledge("b1");
		assertThat(settled.join()).isTrue();
	}

	@Test
	void aRecordThatCanNeverBeAcceptedEndsTheWait() {
		add("a", "a1");
		CompletableFuture<Boolean> settled = awaitSettled();
		this.verdict = PendingRecords.Verdict.STOP;
		CompletableFuture<Object> answer = this.answers.get("a1");
		assertThat(answer).isNotNull();
		answer.completeExceptionally(new IllegalStateException("too large"));
		assertThat(settled.join()).isFalse();
	}

	/** Waits on a separate thread, which waits when this method returns. */
	private CompletableFuture<Boolean> awaitSettled() {
		CompletableFuture<Boolean> settled = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				settled.complete(this.pending.awaitSettled());
			}
			catch (InterruptedException ex) {
				settled.completeExceptionally(ex);
			}
		});
		this.threads.add(thread);
		thread.start();
		awaitWaiting(thread);
		return settled;
	}

	@Test
	void anInterruptEndsTheWaiting() throws InterruptedException {
		Thread thread = adding("a1", "b1", "c1", "d1");
		awaitWaiting(thread);
		thread.interrupt();
		thread.join();
		assertThat(this.sent).containsExactly("a1", "b1", "c1");
		assertThat(this.pending.size()).isEqualTo(3);
	}

}
