package dev.reflector.sample.writer;

import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

	private ResourceCollection sites;

	@BeforeEach
	void findSites() {
		this.sites = this.server.resources("websites");
	}

	private JsonNode site(String name) {
		this.probe.awaitCaughtUp();
		return this.sites.get("default", name).orElseThrow();
	}

	private static String phase(JsonNode site) {
		return site.at("/status/phase").asString("");
	}

	@Test
	void writesTheStatusAndNothingElse() {
		this.sites.managedBy("kubectl").create("""
				{"metadata": {"name": "shop"}, "spec": {"host": "shop.example.com"}}
				""");
		JsonNode site = site("shop");
		assertThat(phase(site)).isEqualTo("Ready");
		assertThatObject(site).isManagedBy("kubectl", "spec.host")
			.fieldsOf("websites/WebsiteStatus")
			.containsExactly("status.observedGeneration", "status.phase");
	}

	@Test
	void writesNothingWhenNothingHasChanged() {
		this.sites.create("{\"metadata\": {\"name\": \"shop\"}}");
		assertThat(phase(site("shop"))).isEqualTo("Invalid");
		// its own status comes back as a change
		this.probe.awaitCaughtUp();
		assertThatServer(this.server).writesNothing(() -> {
			this.reflector.resync();
			this.probe.awaitCaughtUp();
		});
	}

	/** In the last case, the server has carried it out. */
	static Fault[] droppedAnswers() {
		return new Fault[] { Fault.disconnect(), Fault.status(503), Fault.truncate(10) };
	}

	@ParameterizedTest
	@MethodSource("droppedAnswers")
	void anAnswerThatIsDroppedDoesNotMatter(Fault fault) {
		this.server.fail(RecordedRequest::isWrite, 1, fault);
		this.sites.create("{\"metadata\": {\"name\": \"shop\"}}");
		assertThat(phase(site("shop"))).isEqualTo("Invalid");
		assertThat(this.server.requests(RecordedRequest::isWrite)).hasSizeGreaterThan(1)
			.allMatch((request) -> request.path().endsWith("/websites/shop/status"));
	}

	@Test
	void leavesAStatusOfOthersAlone() {
		this.sites.managedBy("other").serverSideApply("""
				{"metadata": {"name": "taken"}, "status": {"phase": "Paused"}}
				""", false);
		this.sites.create("{\"metadata\": {\"name\": \"shop\"}}");
		assertThat(phase(site("shop"))).isEqualTo("Invalid");
		assertThat(phase(site("taken"))).isEqualTo("Paused");
		assertThatObject(site("taken")).managersOf("status.phase").containsExactly("other");
	}

}
