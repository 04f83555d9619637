package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BackoffTests {

	private final ManualTime time = new ManualTime();

	private Backoff backoff(int initial, int max, double multiplier, double jitter, Duration resetAfter) {
		return new Backoff(
				new BackoffSettings(Duration.ofMillis(initial), Duration.ofMillis(max), multiplier, jitter, resetAfter),
				this.time, new Random(42), true);
	}

	private static List<Long> draw(Backoff backoff, int times) {
		return Stream.generate(() -> backoff.next().toMillis()).limit(times).toList();
	}

	@Test
	void c378_growsToTheCapAndRestartsAfterTheResetTime() {
		Backoff backoff = backoff(1000, 10_000, 2, 0, Duration.ofSeconds(10));
		assertThat(draw(backoff, 7)).containsExactly(1000L, 2000L, 4000L, 8000L, 10_000L, 10_000L, 10_000L);
		this.time.advance(Duration.ofSeconds(11));
		assertThat(draw(backoff, 2)).containsExactly(1000L, 2000L);
	}

	@Test
	void c371_anInitialDelayOfZeroIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(0, 10_000, 2, 0, Duration.ZERO))
			.withMessageContaining("initial");
	}

	@Test
	void c372_c373_aFactorOfOneKeepsTheDelayAndZeroIsRejected() {
		assertThat(draw(backoff(1000, 10_000, 1, 0, Duration.ofSeconds(10)), 5)).containsOnly(1000L);
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(1000, 10_000, 0, 0, Duration.ZERO))
			.withMessageContaining("multiplier");
	}

	@Test
	void c374_growsByTheFactor() {
		assertThat(draw(backoff(1000, 60_000, 2, 0, Duration.ofMinutes(2)), 3)).containsExactly(1000L, 2000L, 4000L);
	}

	@Test
	void c375_growsToTheCapAndNotBeyond() {
		assertThat(draw(backoff(1000, 3000, 2, 0, Duration.ofMinutes(2)), 4)).containsExactly(1000L, 2000L, 3000L,
				3000L);
	}

	@Test
	void c376_jitterComesOnTopOfTheCap() {
		for (int seed = 0; seed < 5; seed++) {
			Backoff backoff = new Backoff(
					new BackoffSettings(Duration.ofSeconds(1), Duration.ofSeconds(3), 2, 0.5, Duration.ofMinutes(2)),
					this.time, new Random(seed), true);
			for (int base : new int[] { 1, 2, 3 }) {
				assertThat(backoff.next()).as("seed %d, base %d", seed, base)
					.isGreaterThan(Duration.ofSeconds(base))
					.isLessThan(Duration.ofMillis(1500 * base));
			}
		}
	}

	@Test
	void c379_withoutAResetTimeItNeverGrows() {
		Backoff backoff = backoff(1000, 10_000, 2, 0, Duration.ZERO);
		assertThat(draw(backoff, 7)).containsOnly(1000L);
		this.time.advance(Duration.ofSeconds(11));
		assertThat(draw(backoff, 1)).containsExactly(1000L);
	}

	@Test
	void c379_e08_withoutAResetTimeAnySuccessRestartsTheSequence() {
		Backoff backoff = new Backoff(
				new BackoffSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), 2, 0, Duration.ZERO), this.time,
				new Random(42), false);
		assertThat(draw(backoff, 3)).containsExactly(1000L, 2000L, 4000L);
		backoff.succeeded();
		assertThat(draw(backoff, 2)).containsExactly(1000L, 2000L);
	}

	@Test
	void c380_c383_jitterIsAtMostItsFactorOfTheDelayAndZeroMeansNone() {
		assertThat(draw(backoff(1000, 1000, 1, 1, Duration.ofSeconds(10)), 5))
			.allSatisfy((delay) -> assertThat(delay).isBetween(1000L, 2000L));
		assertThat(draw(backoff(1000, 1000, 1, 0, Duration.ofSeconds(10)), 1)).containsExactly(1000L);
		assertThatIllegalArgumentException().isThrownBy(() -> backoff(1000, 1000, 1, -1, Duration.ZERO))
			.withMessageContaining("jitter");
	}

	@Test
	void r04_followsTheSequenceOfClientGo() {
		Backoff backoff = backoff(800, 30_000, 2, 0, Duration.ofMinutes(2));
		assertThat(draw(backoff, 8)).containsExactly(800L, 1600L, 3200L, 6400L, 12_800L, 25_600L, 30_000L, 30_000L);
	}

	@Test
	void r05_jitterOnlyLengthensAndDoesNotAccumulate() {
		Backoff backoff = backoff(1000, 32_000, 2, 4, Duration.ofMinutes(2));
		List<Long> drawn = draw(backoff, 6);
		IntStream.range(0, 6).forEach((i) -> assertThat(drawn.get(i)).isBetween(1000L << i, 5 * (1000L << i)));
		assertThat(drawn).isNotEqualTo(List.of(1000L, 2000L, 4000L, 8000L, 16_000L, 32_000L));
	}

	@Test
	void r06_countsTheResetTimeFromTheLastResetNotFromTheLastDraw() {
		Backoff backoff = backoff(800, 30_000, 2, 0, Duration.ofMinutes(2));
		draw(backoff, 3);
		this.time.advance(Duration.ofSeconds(119));
		assertThat(draw(backoff, 1)).containsExactly(6400L);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(draw(backoff, 1)).containsExactly(800L);
	}

	@Test
	void spacingDoesNotAdvanceTheSequence() {
		Backoff backoff = backoff(800, 30_000, 2, 1, Duration.ofMinutes(2));
		for (int i = 0; i < 10; i++) {
			assertThat(backoff.spacing()).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
		}
		assertThat(backoff.next()).isLessThan(Duration.ofMillis(1600));
	}

	@Test
	void e08_onlyASuccessThatLastsRestartsTheSequence() {
		Backoff backoff = new Backoff(
				new BackoffSettings(Duration.ofMillis(800), Duration.ofSeconds(30), 2, 0, Duration.ofMinutes(2)),
				this.time, new Random(42), false);
		assertThat(draw(backoff, 3)).containsExactly(800L, 1600L, 3200L);
		this.time.advance(Duration.ofMinutes(10));
		assertThat(draw(backoff, 1)).as("without a success").containsExactly(6400L);
		backoff.succeeded();
		this.time.advance(Duration.ofSeconds(119));
		backoff.succeeded();
		assertThat(draw(backoff, 1)).as("after a success that was too short").containsExactly(12_800L);
		this.time.advance(Duration.ofMinutes(3));
		backoff.succeeded();
		this.time.advance(Duration.ofSeconds(121));
		assertThat(draw(backoff, 2)).containsExactly(800L, 1600L);
	}

	@Test
	void e07_scatterSpreadsClientsOverTheInitialDelay() {
		Backoff backoff = backoff(800, 30_000, 2, 1, Duration.ofMinutes(2));
		List<Duration> drawn = Stream.generate(backoff::scatter).limit(100).toList();
		assertThat(drawn).allMatch((delay) -> delay.toMillis() < 800);
		assertThat(Set.copyOf(drawn)).hasSizeGreaterThan(50);
		assertThat(draw(backoff, 1).get(0)).isBetween(800L, 1600L);
	}

}
