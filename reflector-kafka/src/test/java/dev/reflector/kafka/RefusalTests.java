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
class RefusalTests {

	private static final int ROUNDS = Boolean.getBoolean("tests.full") ? 10_000 : 4_000;

	private final DeliveryStoppedException refused = new DeliveryStoppedException("too large", new RuntimeException());

	@Test
	void theDeliveryIsStoppedUntilALaterChangeIsTaken() {
		Refusal refusal = new Refusal();
		refusal.throwPending();
		refusal.taken();
		assertThat(refusal.isStopped()).isFalse();
		refusal.set(this.refused);
		assertThat(refusal.pending()).isSameAs(this.refused);
		refusal.taken();
		assertThat(refusal.isStopped()).isTrue();
		assertThatExceptionOfType(DeliveryStoppedException.class).isThrownBy(refusal::throwPending)
			.isSameAs(this.refused);
		assertThat(refusal.pending()).isNull();
		assertThat(refusal.isStopped()).isTrue();
		refusal.throwPending();
		refusal.taken();
		assertThat(refusal.isStopped()).isFalse();
	}

	@Test
	void aRefusalWhileAChangeIsTakenIsNotForgotten() throws Exception {
		ExecutorService producer = Executors.newSingleThreadExecutor();
		try {
			CyclicBarrier together = new CyclicBarrier(2);
			for (int i = 0; i < ROUNDS; i++) {
				Refusal refusal = new Refusal();
				Future<?> answer = producer.submit(() -> {
					together.await();
					refusal.set(this.refused);
					return null;
				});
				together.await();
				refusal.taken();
				answer.get(60, TimeUnit.SECONDS);
				assertThat(refusal.isStopped()).as("round " + i).isTrue();
			}
		}
		finally {
			producer.shutdownNow();
		}
	}

}
