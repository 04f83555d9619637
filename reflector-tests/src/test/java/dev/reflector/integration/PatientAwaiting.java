package dev.reflector.integration;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives conditions a minute to become true instead of ten seconds: a busy build machine
 * may stand still for ten. Most become true within milliseconds, so they are checked
 * without delay and often, not each tenth of a second. The others are checked less often
 * with time: each check costs.
 */
public final class PatientAwaiting implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		Awaitility.setDefaultPollInterval((looks, before) -> Duration.ofMillis(Math.min(4 + looks, 20)));
	}

}
