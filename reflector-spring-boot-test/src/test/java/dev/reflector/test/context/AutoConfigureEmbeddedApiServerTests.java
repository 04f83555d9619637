package dev.reflector.test.context;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.autoconfigure.ReflectedResourceScan;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.event.ResourceEvent;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.fixture.Zone;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureEmbeddedApiServer} and {@link ReflectorProbe} in a whole
 * application.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		classes = { WidgetApplication.class, AutoConfigureEmbeddedApiServerTests.Config.class },
		properties = { "reflector.api-server.url=http://127.0.0.1:1", "reflector.backoff.initial=1m",
				"reflector.backoff.max=1m" })
@AutoConfigureEmbeddedApiServer(historyWindow = 100,
		types = @ServedResource(apiVersion = "apps/v1", kind = "Deployment", plural = "deployments"))
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AutoConfigureEmbeddedApiServerTests {

	@Autowired
	private ApplicationContext context;

	@Autowired
	private EmbeddedApiServer server;

	@Autowired
	private ReflectorProbe probe;

	@Autowired
	private RecordedEvents events;

	@Autowired
	private Reflector<Widget> reflector;

	@Autowired
	private Lister<Widget> widgets;

	@Autowired
	private Lister<Zone> zones;

	@Autowired
	private Heard heard;

	@BeforeEach
	void forget() {
		this.heard.events.clear();
	}

	private JsonNode create(String name) {
		return this.server.resources("widgets")
			.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	@Test
	void theServerWinsOverTheConfiguredUrl() {
		assertThat(this.context.getBean(ReflectorConnectionDetails.class).getApiServer().url())
			.isEqualTo(this.server.url());
		assertThat(this.context.getBean(TimeSource.class)).isInstanceOf(SystemTimeSource.class);
		assertThat(this.context.getEnvironment().getProperty("reflector.keep-alive")).isEqualTo("false");
	}

	@Test
	void mirroredAndDeclaredTypesAreServedInTheirScopes() {
		this.server.resources("deployments").create(Map.of("metadata", Map.of("name", "web")));
		this.server.resources("nodes").create(Map.of("metadata", Map.of("name", "node-1")));
		create("first");
		this.probe.awaitCaughtUp();
		assertThat(this.zones.get(null, "node-1")).isNotNull();
		assertThat(this.widgets.get("default", "first")).isNotNull();
	}

	@RepeatedTest(3)
	void eachTestBeginsWithAnEmptyServer() {
		assertThat(this.reflector.hasSynced()).isTrue();
		assertThat(this.widgets.list()).isEmpty();
		assertThat(this.events.all()).isEmpty();
		assertThat(this.server.requests()).isEmpty();
		assertThat(this.server.resources("widgets").size()).isZero();
		create("leftover");
		// and not even a rest of what another test did in its last moment
		this.server.resources("widgets").delete("default", "leftover");
		create("leftover");
	}

	@RepeatedTest(2)
	void reflectorsLeftPausedGoOn() {
		create("before");
		this.probe.awaitCaughtUp();
		assertThat(this.widgets.size()).isEqualTo(1);
		this.reflector.pause();
		this.probe.awaitState(this.reflector, ReflectorState.PAUSED);
		create("unseen");
	}

	@RepeatedTest(2)
	void serversLeftStoppedListenAndReflectorsLeftBackingOffGoOn() {
		create("before");
		this.probe.awaitCaughtUp();
		this.server.fail(RecordedRequest::isList, 100, Fault.status(500));
		this.server.stop();
		this.reflector.relist();
		this.probe.awaitState(this.reflector, ReflectorState.BACKING_OFF);
	}

	@Test
	void awaitsAVersionThatTheMirrorShowsAndListenersHaveGot() {
		for (int i = 0; i < 50; i++) {
			JsonNode created = create("w" + i);
			this.probe.awaitResourceVersion(this.reflector, created.at("/metadata/resourceVersion").asString());
			assertThat(this.widgets.get("default", "w" + i)).isNotNull();
			assertThat(this.heard.events).hasSize(i + 1);
			assertThat(this.events.ofType(Widget.class).added()).hasSize(i + 1);
		}
	}

	@Test
	void awaitsEventsOfEachKind() {
		ResourceCollection collection = this.server.resources("widgets");
		create("a");
		collection.mergePatch("default", "a", Map.of("spec", Map.of("size", 3)));
		collection.delete("default", "a");
		this.server.resources("nodes").create(Map.of("metadata", Map.of("name", "a")));
		assertThat(this.probe.awaitDeleted(Widget.class, (event) -> true).resource().spec().size()).isEqualTo(3);
		assertThat(this.probe.awaitUpdated(Widget.class, (event) -> true).previous().spec().size()).isEqualTo(1);
		assertThat(this.probe.awaitAdded(Widget.class, (event) -> true).resource().spec().size()).isEqualTo(1);
		assertThat(this.probe.awaitEvent(Zone.class, (event) -> true).key()).hasToString("a");
		assertThat(this.events.ofType(Widget.class).all()).hasSize(3);
		assertThat(this.events.changes()).hasSize(4);
		this.events.clear();
		assertThat(this.events.all()).isEmpty();
	}

	@Test
	void anEventIsRecordedAfterTheListenersOfTheApplication() {
		this.heard.delegate = () -> assertThat(this.events.ofType(Widget.class).all()).isEmpty();
		create("a");
		this.probe.awaitAdded(Widget.class, (event) -> true);
		assertThat(this.heard.events).hasSize(1);
	}

	@Test
	void anEventOnWhichAListenerThrewIsRecordedAsFailed() {
		this.heard.delegate = () -> {
			throw new IllegalStateException("on purpose");
		};
		create("bad");
		create("good");
		this.probe.awaitAdded(Widget.class, (event) -> event.key().name().equals("good"));
		assertThat(this.events.ofType(Widget.class).added()).hasSize(2);
		assertThat(this.events.failed()).singleElement()
			.satisfies((event) -> assertThat(event.key()).hasToString("default/bad"));
		assertThat(this.events.toString()).contains("default/bad @ ").contains(" (a listener threw an exception)");
	}

	@Nested
	class InNestedClasses {

		@Test
		void theServerIsTheSame(@Autowired EmbeddedApiServer same) {
			assertThat(same).isSameAs(AutoConfigureEmbeddedApiServerTests.this.server);
		}

	}

	/**
	 * A listener like in an application, and one more type to mirror.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = { Widget.class, Zone.class })
	@Import(Heard.class)
	static class Config {

	}

	/** The events that a listener has received. */
	static class Heard {

		final List<ResourceEvent<Widget>> events = new CopyOnWriteArrayList<>();

		volatile Runnable delegate = () -> {
		};

		@EventListener
		void on(ResourceEvent<Widget> event) {
			Runnable next = this.delegate;
			this.delegate = () -> {
			};
			next.run();
			this.events.add(event);
		}

	}

}
