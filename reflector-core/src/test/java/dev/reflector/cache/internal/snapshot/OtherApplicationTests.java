package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests when a warning of another application is repeated.
 */
@ExtendWith(OutputCaptureExtension.class)
class OtherApplicationTests {

	@Test
	void warnsOnceAMinuteHoweverManySlotsWait(CapturedOutput output) {
		ManualTime time = new ManualTime();
		OtherApplication other = new OtherApplication("things", time);
		waits(other);
		waits(other);
		assertWarnings(output, 1);
		time.advance(Duration.ofSeconds(59));
		waits(other);
		assertWarnings(output, 1);
		time.advance(Duration.ofSeconds(1));
		waits(other);
		assertWarnings(output, 2);
	}

	private static void waits(OtherApplication other) {
		other.waits("shop", "billing", "a file");
	}

	private static void assertWarnings(CapturedOutput output, int number) {
		assertThat(output.toString().split("its snapshot in a file is written by the application 'shop'", -1))
			.hasSize(number + 1);
	}

}
