package dev.reflector.integration;

/**
 * The same with the client of the JDK.
 */
class JdkFaultScenarioIntegrationTests extends FaultScenarioIntegrationTests {

	@Override
	String connector() {
		return "jdk";
	}

}
