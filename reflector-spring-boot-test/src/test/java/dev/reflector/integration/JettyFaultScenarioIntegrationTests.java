package dev.reflector.integration;

/**
 * The same with Jetty's client.
 */
class JettyFaultScenarioIntegrationTests extends FaultScenarioIntegrationTests {

	@Override
	String connector() {
		return "jetty";
	}

}
