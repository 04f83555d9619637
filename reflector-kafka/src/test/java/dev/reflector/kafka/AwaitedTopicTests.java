package dev.reflector.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how long a mirror waits for a topic that does not exist yet.
 */
class AwaitedTopicTests {

	private final KafkaListerWatcher<Widget> source = KafkaListerWatcher
		.builder(new DefaultKafkaConsumerFactory<>(Map.of()), "widgets", Widget.class)
		.build();

	private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

	@AfterEach
	void releaseTime() {
		VirtualTimeScheduler.reset();
	}

	@Test
	void itIsLookedForSoonAndThenEveryFewSeconds() {
		assertWaits(500);
		assertWaits(1000);
		assertWaits(2000);
		assertWaits(4000);
		for (int i = 0; i < 100; i++) {
			assertWaits(5000);
		}
	}

	@Test
	void afterItWasReadItIsLookedForSoonAgain() {
		assertWaits(500);
		assertWaits(1000);
		this.source.keep(null, this.source.fresh(null));
		assertWaits(500);
	}

	/**
	 * Checks that the delay has at least this length, and is at most half as long again.
	 */
	private void assertWaits(long millis) {
		AtomicBoolean due = new AtomicBoolean();
		this.source.awaitType().subscribe((nothing) -> {
		}, null, () -> due.set(true));
		this.time.advanceTimeBy(Duration.ofMillis(millis - 1));
		assertThat(due).isFalse();
		this.time.advanceTimeBy(Duration.ofMillis(1 + millis / 2));
		assertThat(due).isTrue();
	}

	record Widget(ObjectMeta metadata) {

	}

}
