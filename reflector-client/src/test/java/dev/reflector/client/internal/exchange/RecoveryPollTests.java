package dev.reflector.client.internal.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class RecoveryPollTests {

	private final ManualTime time = new ManualTime();

	private final AtomicInteger looks = new AtomicInteger();

	private volatile boolean come;

	private RecoveryPoll look(BooleanSupplier come) {
		return new RecoveryPoll(() -> Mono.fromSupplier(() -> {
			this.looks.incrementAndGet();
			return come.getAsBoolean();
		}), this.time);
	}

	private void pass(Duration duration) {
		Duration step = Duration.ofMillis(5);
		for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(step)) {
			this.time.advance(step);
		}
	}

	@Test
	void looksOnceASecondHoweverManyWait() {
		RecoveryPoll look = look(() -> this.come);
		List<Integer> released = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 200; i++) {
			int number = i;
			look.await().subscribe(null, null, () -> released.add(number));
		}
		pass(Duration.ofSeconds(20));
		assertThat(this.looks.get()).isBetween(15, 20);
		assertThat(released).isEmpty();
		this.come = true;
		pass(Duration.ofMillis(3300));
		assertThat(released).hasSize(200).doesNotHaveDuplicates();
		int looks = this.looks.get();
		pass(Duration.ofSeconds(10));
		assertThat(this.looks).as("when nobody waits").hasValue(looks);
	}

	@Test
	void looksNoMoreWhenNobodyWaits() {
		RecoveryPoll look = look(() -> false);
		Disposable waiting = look.await().subscribe();
		pass(Duration.ofSeconds(3));
		waiting.dispose();
		pass(Duration.ofSeconds(2));
		int looks = this.looks.get();
		pass(Duration.ofSeconds(10));
		assertThat(this.looks).hasValue(looks);
		look.await().subscribe();
		pass(Duration.ofSeconds(2));
		assertThat(this.looks).hasValueGreaterThan(looks);
	}

	@Test
	void aLookThatFailsIsFollowedByAnother() {
		AtomicInteger released = new AtomicInteger();
		RecoveryPoll look = new RecoveryPoll(() -> {
			if (this.looks.incrementAndGet() < 3) {
				throw new IllegalStateException("look " + this.looks);
			}
			return Mono.just(true);
		}, this.time);
		look.await().subscribe(null, null, released::incrementAndGet);
		pass(Duration.ofSeconds(5));
		assertThat(released).hasValue(1);
		assertThat(this.looks).hasValue(3);
	}

	/** What the guide says of a server with many clients. */
	@Test
	void twentyApplicationsWithTwoHundredReflectorsEachDoNotComeBackInOneMoment() {
		int applications = 20;
		int reflectors = 200;
		Map<Long, Integer> looksBySecond = new TreeMap<>();
		Map<Long, Integer> requestsByTenth = new TreeMap<>();
		for (int i = 0; i < applications; i++) {
			RecoveryPoll look = new RecoveryPoll(() -> Mono.fromSupplier(() -> {
				looksBySecond.merge(this.time.nanoTime() / 1_000_000_000, 1, Integer::sum);
				return this.come;
			}), this.time);
			for (int j = 0; j < reflectors; j++) {
				look.await()
					.subscribe(null, null,
							() -> requestsByTenth.merge(this.time.nanoTime() / 100_000_000, 1, Integer::sum));
			}
		}
		pass(Duration.ofSeconds(10));
		assertThat(requestsByTenth).isEmpty();
		assertThat(new ArrayList<>(looksBySecond.values())).allMatch((looks) -> looks <= applications);
		this.come = true;
		pass(Duration.ofMillis(3500));
		assertThat(requestsByTenth.values().stream().mapToInt(Integer::intValue).sum())
			.isEqualTo(applications * reflectors);
		// a hundred in a second from each application at the most, and the first of each
		assertThat(requestsByTenth.values()).allMatch((requests) -> requests <= applications * 11);
	}

}
