package dev.reflector.kafka;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes tests wait long enough for conditions, even on a busy machine.
 */
final class Patience implements BeforeAllCallback, AfterAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		boolean much = Boolean.getBoolean("tests.full") || System.getProperty("tests.objects") != null;
		Awaitility.setDefaultTimeout(Duration.ofMinutes(much ? 8 : 2));
	}

	@Override
	public void afterAll(ExtensionContext context) {
		Awaitility.reset();
	}

}
