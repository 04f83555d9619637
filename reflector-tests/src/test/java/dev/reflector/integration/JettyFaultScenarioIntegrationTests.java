package dev.reflector.integration;

import dev.reflector.fixture.LongFormOnly;

/**
 * The same with Jetty's client.
 */
@LongFormOnly
class JettyFaultScenarioIntegrationTests extends FaultScenarioIntegrationTests {

	@Override
	String connector() {
		return "jetty";
	}

}
