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

	private final AtomicInteger requests = new AtomicInteger();

	private volatile boolean come;

	private RecoveryPoll poll(BooleanSupplier come) {
		return new RecoveryPoll(() -> Mono.fromSupplier(() -> {
			this.requests.incrementAndGet();
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
	void pollsOnceASecondForAnyNumberOfSubscribers() {
		RecoveryPoll poll = poll(() -> this.come);
		List<Integer> released = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 200; i++) {
			int number = i;
			poll.await().subscribe(null, null, () -> released.add(number));
		}
		pass(Duration.ofSeconds(20));
		assertThat(this.requests.get()).isBetween(15, 20);
		assertThat(released).isEmpty();
		this.come = true;
		pass(Duration.ofMillis(3300));
		assertThat(released).hasSize(200).doesNotHaveDuplicates();
		int requests = this.requests.get();
		pass(Duration.ofSeconds(10));
		assertThat(this.requests).as("without subscribers").hasValue(requests);
	}

	@Test
	void stopsPollingWithoutSubscribers() {
		RecoveryPoll poll = poll(() -> false);
		Disposable waiting = poll.await().subscribe();
		pass(Duration.ofSeconds(3));
		waiting.dispose();
		pass(Duration.ofSeconds(2));
		int requests = this.requests.get();
		pass(Duration.ofSeconds(10));
		assertThat(this.requests).hasValue(requests);
		poll.await().subscribe();
		pass(Duration.ofSeconds(2));
		assertThat(this.requests).hasValueGreaterThan(requests);
	}

	@Test
	void aRequestThatFailsIsFollowedByAnother() {
		AtomicInteger released = new AtomicInteger();
		RecoveryPoll poll = new RecoveryPoll(() -> {
			if (this.requests.incrementAndGet() < 3) {
				throw new IllegalStateException("request " + this.requests);
			}
			return Mono.just(true);
		}, this.time);
		poll.await().subscribe(null, null, released::incrementAndGet);
		pass(Duration.ofSeconds(5));
		assertThat(released).hasValue(1);
		assertThat(this.requests).hasValue(3);
	}

	/** The example of the guide for a server with many clients. */
	@Test
	void twentyApplicationsWithTwoHundredReflectorsEachDoNotComeBackTogether() {
		int applications = 20;
		int reflectors = 200;
		Map<Long, Integer> looksBySecond = new TreeMap<>();
		Map<Long, Integer> requestsByTenth = new TreeMap<>();
		for (int i = 0; i < applications; i++) {
			RecoveryPoll poll = new RecoveryPoll(() -> Mono.fromSupplier(() -> {
				looksBySecond.merge(this.time.nanoTime() / 1_000_000_000, 1, Integer::sum);
				return this.come;
			}), this.time);
			for (int j = 0; j < reflectors; j++) {
				poll.await()
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
		// at most a hundred per second from each application, and the first of each
		assertThat(requestsByTenth.values()).allMatch((requests) -> requests <= applications * 11);
	}

}
