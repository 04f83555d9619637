package dev.reflector.sample.writer;

import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import static dev.reflector.test.assertj.ApiServerAssertions.assertThatObject;
import static dev.reflector.test.assertj.ApiServerAssertions.assertThatServer;
import static org.assertj.core.api.Assertions.assertThat;

@ReflectorTest
@Import(Websites.class)
class WebsitesTests {

	@Autowired
	private EmbeddedApiServer server;

	@Autowired
	private ReflectorProbe probe;

	@Autowired
	private Reflector<Website> reflector;

	private JsonNode site(String name) {
		this.probe.awaitCaughtUp();
		return this.server.resources("websites").get("default", name).orElseThrow();
	}

	private String phase(String name) {
		return site(name).at("/status/phase").asString("");
	}

	@Test
	void writesTheStatusAndNothingElse() {
		this.server.resources("websites").managedBy("kubectl").create("""
				{"metadata": {"name": "shop"}, "spec": {"host": "shop.example.com"}}
				""");
		assertThat(phase("shop")).isEqualTo("Ready");
		assertThatObject(site("shop")).isManagedBy("kubectl", "spec.host")
			.fieldsOf("websites/WebsiteStatus")
			.containsExactly("status.observedGeneration", "status.phase");
	}

	@Test
	void writesNothingWhenNothingHasChanged() {
		this.server.resources("websites").create("{\"metadata\": {\"name\": \"shop\"}}");
		this.probe.awaitCaughtUp();
		// now the mirror has the status of the application
		this.probe.awaitCaughtUp();
		assertThatServer(this.server).writesNothing(() -> {
			this.reflector.resync();
			this.probe.awaitCaughtUp();
		});
	}

	@Test
	void aDroppedAnswerDoesNotMatter() {
		this.server.fail(RecordedRequest::isWrite, 1, Fault.truncate(10));
		ResourceCollection sites = this.server.resources("websites");
		sites.create("{\"metadata\": {\"name\": \"shop\"}}");
		this.probe.awaitCaughtUp();
		assertThatObject(sites.get("default", "shop").orElseThrow()).isManagedBy("websites/WebsiteStatus",
				"status.phase");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRequestThatIsDroppedIsSentAgain(boolean answered) {
		this.server.fail(RecordedRequest::isWrite, 2, answered ? Fault.status(503) : Fault.disconnect());
		this.server.resources("websites").create("{\"metadata\": {\"name\": \"shop\"}}");
		assertThat(phase("shop")).isEqualTo("Invalid");
	}

	@Test
	void leavesAStatusOfOthersAlone() {
		ResourceCollection sites = this.server.resources("websites");
		sites.managedBy("other").serverSideApply("""
				{"metadata": {"name": "taken"}, "status": {"phase": "Paused"}}
				""", false);
		sites.create("{\"metadata\": {\"name\": \"shop\"}}");
		assertThat(phase("shop")).isEqualTo("Invalid");
		assertThatObject(site("taken")).managersOf("status.phase").containsExactly("other");
	}

}
