package dev.reflector;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives conditions half a minute to come true instead of ten seconds. A machine that
 * builds much at a time may well stand still for ten.
 */
public final class PatientAwaiting implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
	}

}
