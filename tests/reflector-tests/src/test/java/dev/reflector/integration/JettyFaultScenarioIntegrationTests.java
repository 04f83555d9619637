package dev.reflector.integration;

import dev.reflector.fixture.LongFormOnly;

/**
 * Tests faults with Jetty's client.
 */
@LongFormOnly
class JettyFaultScenarioIntegrationTests extends LibraryFaultScenario {

	@Override
	String connector() {
		return "jetty";
	}

}
