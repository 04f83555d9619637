package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Backpressure}.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackpressureTests {

	private final ManualTime time = new ManualTime();

	private final List<String> told = new CopyOnWriteArrayList<>();

	private Runnable whileToldOfTheBegin = () -> {
	};

	private final Backpressure backpressure = new Backpressure(new RequestObserver() {

		@Override
		public void blocked() {
			BackpressureTests.this.told.add("blocked");
			BackpressureTests.this.whileToldOfTheBegin.run();
		}

		@Override
		public void unblocked(Duration duration) {
			BackpressureTests.this.told.add("unblocked " + duration);
		}

	}, this.time);

	@Test
	void aWatchIsBlockedWhileAllThatWasRequestedHasCome() {
		this.backpressure.requesting(2);
		this.backpressure.delivered();
		assertThat(this.told).isEmpty();
		this.backpressure.delivered();
		assertThat(this.told).containsExactly("blocked");
		this.time.advance(Duration.ofSeconds(3));
		this.backpressure.requesting(1);
		assertThat(this.told).containsExactly("blocked", "unblocked PT3S");
		this.backpressure.delivered();
		this.backpressure.end();
		assertThat(this.told).containsExactly("blocked", "unblocked PT3S", "blocked", "unblocked PT0S");
	}

	@Test
	void theEndIsNotToldBeforeTheBegin() {
		this.whileToldOfTheBegin = () -> {
			this.backpressure.requesting(1);
			assertThat(this.told).containsExactly("blocked");
		};
		this.backpressure.requesting(1);
		this.backpressure.delivered();
		assertThat(this.told).containsExactly("blocked", "unblocked PT0S");
		this.told.clear();
		this.backpressure.delivered();
		assertThat(this.told).containsExactly("blocked", "unblocked PT0S");
	}

	@Test
	void aWatchThatEndsWhileTheBeginIsToldIsNotBlockedAfterwards() {
		this.whileToldOfTheBegin = this.backpressure::end;
		this.backpressure.requesting(1);
		this.backpressure.delivered();
		assertThat(this.told).containsExactly("blocked", "unblocked PT0S");
		this.backpressure.requesting(1);
		this.backpressure.delivered();
		assertThat(this.told).hasSize(2);
	}

	@Test
	void beginsAndEndsAlternateWhateverTheThreadsDo() throws InterruptedException {
		AtomicInteger blocked = new AtomicInteger();
		AtomicInteger wrong = new AtomicInteger();
		Backpressure shared = new Backpressure(new RequestObserver() {

			@Override
			public void blocked() {
				if (blocked.getAndIncrement() != 0) {
					wrong.incrementAndGet();
				}
			}

			@Override
			public void unblocked(Duration duration) {
				if (blocked.getAndDecrement() != 1) {
					wrong.incrementAndGet();
				}
			}

		}, this.time);
		AtomicInteger granted = new AtomicInteger();
		int all = 20_000;
		Thread source = new Thread(() -> {
			for (int i = 1; i <= all; i++) {
				while (granted.get() < i) {
					Thread.onSpinWait();
				}
				shared.delivered();
			}
		});
		source.start();
		for (int i = 0; i < all; i++) {
			shared.requesting(1);
			granted.incrementAndGet();
		}
		source.join();
		shared.end();
		assertThat(wrong).hasValue(0);
		assertThat(blocked).hasValue(0);
	}

}
