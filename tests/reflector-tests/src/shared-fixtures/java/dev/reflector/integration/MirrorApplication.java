package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.event.ReflectorStateChangedEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.fixture.RelatedAutoConfigurations;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that mirrors widgets and records its events.
 */
final class MirrorApplication implements AutoCloseable {

	final ConfigurableApplicationContext context;

	final Lister<Widget> widgets;

	final Reflector<Widget> reflector;

	final Heard heard;

	private MirrorApplication(ConfigurableApplicationContext context) {
		this.context = context;
		this.widgets = context.getBeanProvider(new ParameterizedTypeReference<Lister<Widget>>() {
		}).getObject();
		this.reflector = context.getBeanProvider(new ParameterizedTypeReference<Reflector<Widget>>() {
		}).getObject();
		this.heard = context.getBean(Heard.class);
	}

	static MirrorApplication on(EmbeddedApiServer server, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("reflector.api-server.url=" + server.url());
		return start(all.toArray(String[]::new));
	}

	/** An application with its own time. */
	static MirrorApplication on(EmbeddedApiServer server, TimeSource time, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("reflector.api-server.url=" + server.url());
		return start((context) -> ((GenericApplicationContext) context).registerBean(TimeSource.class, () -> time),
				all.toArray(String[]::new));
	}

	static MirrorApplication start(String... properties) {
		return start((context) -> {
		}, properties);
	}

	static MirrorApplication start(ReflectorConnectionDetails details, String... properties) {
		return start((context) -> ((GenericApplicationContext) context).registerBean(ReflectorConnectionDetails.class,
				() -> details), properties);
	}

	static MirrorApplication start(ApplicationContextInitializer<?> initializer, String... properties) {
		List<String> all = List.of(properties);
		Class<?> configuration = all.contains(UnrelatedAutoConfigurations.INCLUDED) ? WholeConfiguration.class
				: TestConfiguration.class;
		return new MirrorApplication(new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.initializers(initializer)
			.bannerMode(org.springframework.boot.Banner.Mode.OFF)
			.properties("spring.reactor.netty.shutdown-quiet-period=0s",
					"reflector.startup.wait-for-sync=false",
					// one registry is enough, unless a test is about Prometheus
					"management.prometheus.metrics.export.enabled=false",
					// a request in the background would meet what a test does to the server
					"reflector.schema-check=off",
					// a stalled machine or manual time must not count as a slow listener
					"reflector.events.slow-listener-threshold=0s")
			.run(all.stream().map((property) -> "--" + property).toArray(String[]::new)));
	}

	/** The names and versions that are mirrored. */
	Map<String, String> mirror() {
		Map<String, String> mirror = new TreeMap<>();
		this.widgets.list()
			.forEach((widget) -> mirror.put(ResourceKey.of(widget.metadata().namespace(), widget.name()).toString(),
					widget.version()));
		return mirror;
	}

	static Map<String, String> contentOf(ResourceCollection collection) {
		Map<String, String> content = new TreeMap<>();
		collection.list()
			.forEach((object) -> content.put(
					object.at("/metadata/namespace").asString() + "/" + object.at("/metadata/name").asString(),
					object.at("/metadata/resourceVersion").asString()));
		return content;
	}

	/** Waits until the mirror and the sum of the events equal the server. */
	void awaitEqualTo(ResourceCollection collection) {
		Content content = new Content(collection);
		try {
			await().atMost(Duration.ofSeconds(60)).until(() -> isEqualTo(content.now()));
		}
		catch (ConditionTimeoutException ex) {
			// says what differs
			assertEqualTo(collection);
			throw ex;
		}
	}

	private boolean isEqualTo(Map<String, String> expected) {
		return mirror().equals(expected) && this.heard.folded().equals(expected);
	}

	void assertEqualTo(ResourceCollection collection) {
		Map<String, String> expected = contentOf(collection);
		assertThat(mirror()).isEqualTo(expected);
		assertThat(this.heard.folded()).isEqualTo(expected);
	}

	/**
	 * Waits until the reflector watches. After a failure, its state becomes WATCHING when
	 * a watch has delivered something or has lasted for a second (2.3). So the server
	 * sends bookmarks.
	 */
	void awaitWatching(EmbeddedApiServer server) {
		await().until(() -> {
			server.sendBookmarks();
			// the state may be WATCHING before the server has got the request
			return this.reflector.state() == ReflectorState.WATCHING && server.activeWatches() > 0;
		});
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * The objects of the server. They are read again only when its version has changed,
	 * because a waiting test asks every few milliseconds.
	 */
	private static final class Content {

		private final ResourceCollection collection;

		private String version = "";

		private Map<String, String> content = Map.of();

		private Content(ResourceCollection collection) {
			this.collection = collection;
		}

		private Map<String, String> now() {
			// before the objects: a change in between is read next time
			String present = this.collection.resourceVersion();
			if (!present.equals(this.version)) {
				this.content = contentOf(this.collection);
				this.version = present;
			}
			return this.content;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WholeConfiguration extends HearingConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(RelatedAutoConfigurations.class)
	static class TestConfiguration extends HearingConfiguration {

	}

	@AutoConfigurationPackage
	static class HearingConfiguration {

		@Bean
		Heard heard() {
			return new Heard();
		}

	}

	/**
	 * The events that the application has received. An event that is in the list is also
	 * in the result of {@link #folded()}, and the other way round.
	 */
	static class Heard {

		final List<String> events = new CopyOnWriteArrayList<>();

		final List<String> threads = new CopyOnWriteArrayList<>();

		final List<String> mistakes = new CopyOnWriteArrayList<>();

		/** Whether a resync may deliver objects that have not changed. */
		volatile boolean resyncs;

		private final Map<String, String> folded = new ConcurrentHashMap<>();

		@EventListener
		synchronized void added(ResourceAddedEvent<Widget> event) {
			note("+" + event.resource() + (event.initialList() ? " initial" : ""));
			if (this.folded.put(event.key().toString(), event.resourceVersion()) != null) {
				this.mistakes.add("added twice: " + event);
			}
		}

		@EventListener
		synchronized void updated(ResourceUpdatedEvent<Widget> event) {
			note("~" + event.previous() + ">" + event.resource());
			String before = this.folded.put(event.key().toString(), event.resourceVersion());
			if (event.previous().version().equals(event.resourceVersion()) && !this.resyncs) {
				// E-27: an unchanged object of a new list is no event
				this.mistakes.add("updated without a change: " + event);
			}
			if (!event.previous().version().equals(before)) {
				this.mistakes.add("updated from " + event.previous() + ", but heard of " + before + ": " + event);
			}
		}

		@EventListener
		synchronized void deleted(ResourceDeletedEvent<Widget> event) {
			note("-" + event.resource().name());
			if (this.folded.remove(event.key().toString()) == null) {
				this.mistakes.add("deleted without having been there: " + event);
			}
		}

		@EventListener
		void any(ResourceEvent<Widget> event) {
			this.threads.add(Thread.currentThread().getName());
		}

		@EventListener
		void synced(ReflectorSyncedEvent event) {
			note("synced");
		}

		@EventListener
		void state(ReflectorStateChangedEvent event) {
			note(event.previous() + ">" + event.state());
		}

		private void note(String event) {
			this.events.add(event);
		}

		synchronized Map<String, String> folded() {
			return new TreeMap<>(this.folded);
		}

	}

}
