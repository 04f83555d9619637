package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.ResourceType;
import dev.reflector.cache.ApiException;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.MetadataAccessor;
import dev.reflector.client.Clients.Widget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the discovery of the plural by {@link WebClientListerWatcher}.
 */
class DiscoveryTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String RESOURCES = """
			{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[
			{"name":"gadgets","kind":"Gadget"},{"name":"widgets/status","kind":"Widget"},
			{"name":"widgetz","singularName":"","namespaced":true,"kind":"Widget","verbs":["list"]},
			{"name":"widgetz/scale","kind":"Scale"}]}""";

	private final AtomicReference<String> resources = new AtomicReference<>(RESOURCES);

	private RawServer server;

	private ListerWatcher<Widget> widgets;

	@BeforeEach
	void start() throws IOException {
		this.server = new RawServer((request, connection) -> {
			String resources = this.resources.get();
			boolean discovery = request.target().matches("/api(s/example.com)?/v1");
			connection.head((resources.isEmpty() || resources.equals("gone")) ? 404 : 200, "Connection: close");
			connection.write(discovery ? resources : "{\"items\":[]}");
		});
		this.widgets = widgets("example.com/v1");
	}

	private ListerWatcher<Widget> widgets(String apiVersion) {
		return Clients.client(this.server.uri(), Clients.OPTIONS)
			.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
					ResourceType.of(apiVersion, "Widget", null), "", "");
	}

	@AfterEach
	void stop() throws IOException {
		this.server.close();
	}

	@Test
	void asksOnceForThePlural() {
		assertThat(this.widgets.plural()).isNull();
		this.widgets.list(Clients.list()).block(LIMIT);
		assertThat(this.widgets.plural()).isEqualTo("widgetz");
		this.widgets.list(Clients.list()).block(LIMIT);
		StepVerifier.create(this.widgets.watch(Clients.watch()).filter(Clients::isFrame))
			.thenConsumeWhile((event) -> true)
			.expectComplete()
			.verify(LIMIT);
		assertThat(this.server.requests()).extracting(RawServer.Request::target)
			.startsWith("/apis/example.com/v1", "/apis/example.com/v1/widgetz", "/apis/example.com/v1/widgetz")
			.hasSize(4);
	}

	@Test
	void asksTheCoreGroup() {
		widgets("v1").list(Clients.list()).block(LIMIT);
		assertThat(this.server.requests()).extracting(RawServer.Request::target)
			.containsExactly("/api/v1", "/api/v1/widgetz");
	}

	@Test
	void doesNotAskWhenThePluralIsDeclared() {
		ListerWatcher<Widget> declared = Clients.widgets(this.server);
		assertThat(declared.plural()).isEqualTo("widgets");
		declared.list(Clients.list()).block(LIMIT);
		assertThat(this.server.requests()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{\"resources\":[]}",
			"{\"resources\":[{\"name\":\"widgets/status\",\"kind\":\"Widget\"},{\"kind\":\"Widget\"}]}" })
	void saysThatTheTypeIsNotServedAndAsksAgainNextTime(String resources) {
		this.resources.set(resources);
		StepVerifier.create(this.widgets.list(Clients.list()))
			.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class, (failure) -> {
				assertThat(failure.status().code()).isEqualTo(404);
				assertThat(failure).hasMessageContaining("example.com/v1 Widget")
					.hasMessageContaining("CRD may not be installed");
			}))
			.verify(LIMIT);
		this.resources.set(RESOURCES);
		this.widgets.list(Clients.list()).block(LIMIT);
		assertThat(this.widgets.plural()).isEqualTo("widgetz");
	}

	@Test
	void forgetsAPluralThatIsGone() {
		this.widgets.list(Clients.list()).block(LIMIT);
		this.resources.set("gone");
		StepVerifier.create(this.widgets.list(Clients.list())).expectError(ApiException.class).verify(LIMIT);
		assertThat(this.widgets.plural()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html>", "{}", "[]", "null", "{\"resources\":5}", "{\"resources\":[" })
	void failsWhenTheAnswerMakesNoSense(String resources) {
		this.resources.set(resources);
		StepVerifier.create(this.widgets.list(Clients.list()))
			.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
				.hasMessageContaining("GET /apis/example.com/v1: ")
				.hasMessageContaining("discovery"))
			.verify(LIMIT);
	}

}
