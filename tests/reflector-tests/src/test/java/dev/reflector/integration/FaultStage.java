package dev.reflector.integration;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.TransformFunction;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server of widgets, an application that mirrors them, and what it logs, for one fault.
 */
final class FaultStage implements AutoCloseable {

	private static final List<String> PROPERTIES = List.of("reflector.watch.initial-list=list",
			"management.endpoints.jmx.exposure.include=reflectors", "spring.jmx.enabled=true");

	private final CharSequence output;

	private final int begin;

	private final Deque<Closeable> opened = new ArrayDeque<>();

	/** A folder for files. */
	final Path folder;

	EmbeddedApiServer server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();

	MirrorApplication application;

	FaultStage(Path folder, CharSequence output) {
		this.folder = folder;
		this.output = output;
		this.begin = output.length();
		create("a");
	}

	/** Closes something at the end. */
	<C extends Closeable> C using(C opened) {
		this.opened.push(opened);
		return opened;
	}

	/** Another server in place of the one of widgets. */
	void serve(EmbeddedApiServer other) {
		this.server.close();
		this.server = other;
	}

	ResourceCollection widgets() {
		return this.server.resources("widgets");
	}

	void create(String name) {
		widgets().create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	/** Changes a widget. */
	void change(String name, int size) {
		widgets().mergePatch("default", name, Map.of("spec", Map.of("size", size)));
	}

	/** An application that mirrors the widgets of the server. */
	void start(String... properties) {
		startAt(this.server.url().toString(), properties);
	}

	/** An application that mirrors the widgets of the server at an address. */
	void startAt(String url, String... properties) {
		startWithout(Stream.concat(Stream.of("reflector.api-server.url=" + url), Stream.of(properties))
			.toArray(String[]::new));
	}

	/** An application that has the address of its server from elsewhere. */
	void startWithout(String... properties) {
		this.application = started(MirrorApplication.start(all(Stream.of(properties))));
	}

	private MirrorApplication started(MirrorApplication application) {
		using(application::close);
		return application;
	}

	private static String[] all(Stream<String> properties) {
		List<String> own = properties.toList();
		// given twice, a property has both values
		return Stream
			.concat(PROPERTIES.stream()
				.filter((property) -> own.stream().noneMatch((other) -> key(other).equals(key(property)))),
					own.stream())
			.toArray(String[]::new);
	}

	private static String key(String property) {
		return property.substring(0, property.indexOf('='));
	}

	/**
	 * Starts an application, and waits until it watches and its mirror equals the server.
	 */
	void startInStep(String... properties) {
		start(properties);
		awaitInStep();
	}

	/** Like {@link #startInStep}, with a listener bean. */
	void startInStepWith(Object listener, String... properties) {
		this.application = started(MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean("listener", Object.class,
						() -> listener),
				all(Stream.concat(Stream.of("reflector.api-server.url=" + this.server.url()), Stream.of(properties)))));
		awaitInStep();
	}

	/** Like {@link #startInStep}, with a function that transforms every object. */
	void startInStepWith(Transformation function, String... properties) {
		startWith(function, properties);
		awaitInStep();
	}

	/** Starts an application with a function that transforms every object. */
	void startWith(Transformation function, String... properties) {
		startWith(Transformation.class, function, properties);
	}

	/** Starts an application with another source of time. */
	void startIn(TimeSource time, String... properties) {
		startWith(TimeSource.class, time, properties);
	}

	private <B> void startWith(Class<B> type, B bean, String... properties) {
		this.application = started(MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(type, () -> bean),
				all(Stream.concat(Stream.of("reflector.api-server.url=" + this.server.url()), Stream.of(properties)))));
	}

	/** Changes widgets. The type can be resolved as a bean. */
	interface Transformation extends TransformFunction<Widget> {

	}

	void awaitInStep() {
		this.application.awaitEqualTo(widgets());
		this.application.awaitWatching(this.server);
	}

	boolean hasLogged(String text) {
		return this.output.toString().indexOf(text, this.begin) >= 0;
	}

	/** The log has the lines of a row, and the endpoint shows its state. */
	void awaitSeen(FaultTable.Row row) {
		await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
			String logged = this.output.toString().substring(this.begin);
			assertThat(row.lines()).as("log lines, in %s", logged)
				.allMatch((line) -> logged.lines().anyMatch((other) -> FaultTable.Row.matches(line, other)));
			assertThat(this.application.context.getBean(ReflectorsEndpoint.class).reflector("widgets").state())
				.isEqualTo(row.state());
		});
	}

	@Override
	public void close() throws IOException {
		for (Closeable closeable : this.opened) {
			closeable.close();
		}
		this.server.close();
	}

}
