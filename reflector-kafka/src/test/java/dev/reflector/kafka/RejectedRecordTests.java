package dev.reflector.kafka;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.handler.DeliveryStoppedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what a refused record does to the delivery.
 */
@Timeout(60)
class RejectedRecordTests {

	private static final int ROUNDS = Boolean.getBoolean("tests.full") ? 10_000 : 4_000;

	private final DeliveryStoppedException refused = new DeliveryStoppedException("too large", new RuntimeException());

	@Test
	void theDeliveryIsStoppedUntilALaterChangeIsTaken() {
		RejectedRecord rejected = new RejectedRecord();
		rejected.throwPending();
		rejected.taken();
		assertThat(rejected.isStopped()).isFalse();
		rejected.set(this.refused);
		assertThat(rejected.pending()).isSameAs(this.refused);
		rejected.taken();
		assertThat(rejected.isStopped()).isTrue();
		assertThatExceptionOfType(DeliveryStoppedException.class).isThrownBy(rejected::throwPending)
			.isSameAs(this.refused);
		assertThat(rejected.pending()).isNull();
		assertThat(rejected.isStopped()).isTrue();
		rejected.throwPending();
		rejected.taken();
		assertThat(rejected.isStopped()).isFalse();
	}

	@Test
	void aRefusalWhileAChangeIsTakenIsNotForgotten() throws Exception {
		ExecutorService producer = Executors.newSingleThreadExecutor();
		try {
			CyclicBarrier together = new CyclicBarrier(2);
			for (int i = 0; i < ROUNDS; i++) {
				RejectedRecord rejected = new RejectedRecord();
				Future<?> answer = producer.submit(() -> {
					together.await();
					rejected.set(this.refused);
					return null;
				});
				together.await();
				rejected.taken();
				answer.get(60, TimeUnit.SECONDS);
				assertThat(rejected.isStopped()).as("round " + i).isTrue();
			}
		}
		finally {
			producer.shutdownNow();
		}
	}

}
