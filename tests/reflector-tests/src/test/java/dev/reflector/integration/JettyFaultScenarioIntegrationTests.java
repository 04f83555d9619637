package dev.reflector.integration;

import dev.reflector.fixture.LongFormOnly;

/**
 * The same with Jetty's client.
 */
@LongFormOnly
class JettyFaultScenarioIntegrationTests extends LibraryFaultScenario {

	@Override
	String connector() {
		return "jetty";
	}

}
