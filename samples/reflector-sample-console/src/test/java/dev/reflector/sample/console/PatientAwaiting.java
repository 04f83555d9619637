package dev.reflector.sample.console;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives conditions a minute to come true instead of ten seconds: a machine that builds
 * much at a time may well stand still for ten. Most come true within milliseconds, and so
 * they are looked at without delay and often, not each tenth of a second. The others are
 * looked at less often with time: each look costs.
 */
public final class PatientAwaiting implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		Awaitility.setDefaultPollInterval((looks, before) -> Duration.ofMillis(Math.min(4 + looks, 20)));
	}

}
