package dev.reflector.integration;

import dev.reflector.fixture.LongFormOnly;

/**
 * Tests faults with the client of the JDK.
 */
@LongFormOnly
class JdkFaultScenarioIntegrationTests extends LibraryFaultScenario {

	@Override
	String connector() {
		return "jdk";
	}

}
