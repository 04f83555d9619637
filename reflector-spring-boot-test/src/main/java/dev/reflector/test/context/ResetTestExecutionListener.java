package dev.reflector.test.context;

import dev.reflector.test.EmbeddedApiServer;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Resets the server before each test, waits until the mirrors have caught up, and clears
 * the events and requests of the previous test.
 */
final class ResetTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext testContext) {
		TestKitSettings settings = TestKitSettings.of(testContext.getTestClass());
		if (settings == null || settings.server() == null || !settings.server().reset()) {
			return;
		}
		ApplicationContext context = testContext.getApplicationContext();
		EmbeddedApiServer server = context.getBean(EmbeddedApiServer.class);
		server.reset();
		context.getBean(ReflectorProbe.class).bringUpToDate();
		context.getBean(RecordedEvents.class).clear();
		server.clearRequests();
	}

}
