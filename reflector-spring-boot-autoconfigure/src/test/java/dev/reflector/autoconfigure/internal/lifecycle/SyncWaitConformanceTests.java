package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.fixture.FakeReflector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.metrics.ApplicationStartup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * The rules that client-go's tests check for waiting for several caches (C-247 to C-255),
 * applied to the start of an application, which waits for all its reflectors.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class SyncWaitConformanceTests {

	/** Longer than any of these tests may take. */
	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration SHORT = Duration.ofMillis(50);

	private static List<Reflector<?>> await(Duration timeout, ManagedReflector... reflectors)
			throws InterruptedException {
		return new SyncWait(() -> List.of(reflectors), ApplicationStartup.DEFAULT).await(timeout);
	}

	private static void start(Duration timeout, boolean strict, ManagedReflector... reflectors)
			throws InterruptedException {
		Supplier<List<ManagedReflector>> started = () -> List.of(reflectors);
		new StrictStart(() -> strict ? timeout : null, ApplicationStartup.DEFAULT).await(started);
		new ReflectorStartupRunner(started, () -> strict ? null : timeout, ApplicationStartup.DEFAULT)
			.run(new DefaultApplicationArguments());
	}

	@Test
	void c247_c248_withoutReflectorsThereIsNothingToWaitForAndNothingToSay(CapturedOutput output) throws Exception {
		assertThat(await(LONG)).isEmpty();
		start(LONG, false);
		start(LONG, true);
		assertThat(output.toString()).doesNotContain("sync");
	}

	@Test
	void c249_c250_waitsUntilTheLastHasSyncedAndSaysNothing(CapturedOutput output) throws Exception {
		Counting first = new Counting("first", 5);
		Counting second = new Counting("second", 3);
		Counting last = new Counting("last", 0);
		assertThat(await(LONG, first.managed(), second.managed(), last.managed())).isEmpty();
		assertThat(List.of(first, second, last)).allMatch((reflector) -> reflector.questions == 0);
		start(LONG, false, new Counting("first", 5).managed(), new Counting("last", 0).managed());
		assertThat(output.toString()).doesNotContain("sync");
	}

	@Test
	void c251_afterTheTimeTheMissingOneIsNamed(CapturedOutput output) throws Exception {
		ManagedReflector second = never("second");
		assertThat(await(SHORT, new Counting("first", 0).managed(), second, new Counting("last", 0).managed()))
			.containsExactly(second.reflector());
		start(SHORT, false, new Counting("first", 0).managed(), second, new Counting("last", 0).managed());
		assertThat(output).containsOnlyOnce(
				"not synced within 0.05s ('reflector.startup.timeout'). The application continues, and their "
						+ "mirrors are incomplete: " + "second (LISTING, no error)");
	}

	@Test
	void aWaitThatTakesLongIsExplainedOnce(CapturedOutput output) throws Exception {
		List<ManagedReflector> started = List.of(new Counting("second", 3).managed(),
				new Counting("last", 0).managed());
		// a short time could be over before the first look
		new SyncWait(() -> started, ApplicationStartup.DEFAULT, Duration.ZERO).await(LONG);
		assertThat(output).containsOnlyOnce("The start waits up to 24h ('reflector.startup.timeout') for the first "
				+ "sync of second (LISTING, no error)");
	}

	@Test
	void c252_c253_aThreadThatIsInterruptedWaitsNoLonger() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> await(LONG, never("first"), new Counting("last", 0).managed()));
		Thread.currentThread().interrupt();
		assertThatNoException().isThrownBy(() -> await(LONG, new Counting("last", 0).managed()));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void c254_allThatAreMissingAreNamedInOrder(CapturedOutput output) throws Exception {
		start(SHORT, false, never("third"), never("second"), never("first"));
		assertThat(output).containsOnlyOnce(
				"The application continues, and their mirrors are incomplete: first (LISTING, no error), second "
						+ "(LISTING, no error), third (LISTING, no error)");
	}

	@Test
	void c255_aStrictStartFailsWithTheNamesOfThoseThatAreMissing() throws Exception {
		start(LONG, true, new Counting("first", 0).managed(), new Counting("second", 1).managed());
		assertThatExceptionOfType(ReflectorSyncTimeoutException.class)
			.isThrownBy(() -> start(SHORT, true, new Counting("first", 0).managed(), never("second")))
			.withMessageContaining("have not synced within 0.05s")
			.withMessageEndingWith(": second (LISTING, no error)");
		assertThatExceptionOfType(ReflectorSyncTimeoutException.class)
			.isThrownBy(() -> start(SHORT, true, never("second"), never("first")))
			.withMessageEndingWith(": first (LISTING, no error), second (LISTING, no error)");
	}

	private static ManagedReflector never(String name) {
		return new Counting(name, Integer.MAX_VALUE).managed();
	}

	/** A reflector that has synced after some calls. */
	private static final class Counting extends FakeReflector<Object> {

		private int questions;

		Counting(String name, int questions) {
			super(name, FakeReflector.status(ReflectorState.LISTING, false, null, null));
			this.questions = questions;
		}

		@Override
		public boolean hasSynced() {
			if (this.questions == 0) {
				return true;
			}
			this.questions--;
			return false;
		}

		ManagedReflector managed() {
			return new ManagedReflector(this, () -> {
			}, () -> CompletableFuture.completedFuture(null));
		}

	}

}
