package dev.reflector.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.fixture.SourceTree;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that lines of a structured log have fields for the reflector, the object and the
 * failure.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StructuredLogIntegrationTests {

	private static final Pattern FIELD = Pattern.compile("addKeyValue\\(([^,]+),");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

	private static final Set<String> USED = used();

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.start();

	/** Otherwise the first application that logs determines the format. */
	@BeforeEach
	void forgetTheFormat() {
		LoggingSystem.get(getClass().getClassLoader()).cleanUp();
	}

	@AfterEach
	void logAsBefore() {
		this.server.close();
		forgetTheFormat();
		System.clearProperty(LoggingSystemProperty.CONSOLE_STRUCTURED_FORMAT.getEnvironmentVariableName());
		new SpringApplicationBuilder(Empty.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.run()
			.close();
	}

	@Test
	void linesHaveFieldsForReflectorObjectAndFailure(CapturedOutput output) {
		ResourceCollection widgets = this.server.resources("widgets");
		widgets.create(Map.of("metadata", Map.of("name", "good"), "spec", Map.of("colour", "c0l0ur")));
		widgets.create(Map.of("metadata", Map.of("name", "bad"), "spec", Map.of("size", "many")));
		String version = widgets.resourceVersion();
		forbidFullState();
		try (MirrorApplication application = MirrorApplication.start(failingHandler(),
				"reflector.api-server.url=" + this.server.url(), "logging.structured.format.console=ecs",
				"reflector.backoff.initial=20ms", "reflector.backoff.max=20ms",
				"logging.level.dev.reflector.Reflector=debug")) {
			await().until(application.reflector::hasSynced);
			forbidFullState();
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().lists() == 2);
			await().untilAsserted(() -> assertThat(lines(output, "a listener failed on")).isNotEmpty());
		}
		assertThat(lines(output, ": listed ")).first().satisfies((line) -> {
			assertThat(line.path("message").asString())
				.startsWith("Reflector 'widgets': listed 1 objects, 1 skipped, at resource version " + version);
			assertThat(fields(line))
				.isEqualTo(Map.of("reflector", "widgets", "resourceVersion", version, "objects", 1));
		});
		assertThat(lines(output, ": skipped ")).first()
			.satisfies((line) -> assertThat(fields(line)).isEqualTo(Map.of("reflector", "widgets", "resourceVersion",
					version, "reason", "UnreadableObject", "key", "default/bad")));
		assertThat(lines(output, "cannot get the full state"))
			.anySatisfy((line) -> assertThat(fields(line)).containsEntry("reflector", "widgets")
				.containsEntry("status", 403)
				.containsEntry("reason", "Forbidden")
				.containsEntry("resourceVersion", version));
		assertThat(lines(output, "The server forbids")).first()
			.satisfies((line) -> assertThat(fields(line)).isEqualTo(Map.of("reflector", "widgets", "status", 403)));
		assertThat(lines(output, "STARTING -> LISTING")).first()
			.satisfies(
					(line) -> assertThat(fields(line)).isEqualTo(Map.of("reflector", "widgets", "state", "LISTING")));
		assertThat(lines(output, "a listener failed on")).first()
			.satisfies((line) -> assertThat(fields(line)).isEqualTo(Map.of("reflector", "widgets", "reason",
					"ListenerFailed", "key", "default/good", "listener", "failingHandler")));
		assertThat(output.getAll()).doesNotContain("c0l0ur").doesNotContain("many");
	}

	/** The streamed list, and the list that is tried instead. */
	private void forbidFullState() {
		this.server.fail((request) -> request.isAbout("widgets"), 2, Fault.status(403));
	}

	@Test
	void theGuideHasATableOfAllFields() throws IOException {
		assertThat(documented()).isEqualTo(USED);
	}

	private static ApplicationContextInitializer<GenericApplicationContext> failingHandler() {
		ResourceEventHandler<Widget> handler = (change) -> {
			throw new IllegalStateException("of this test");
		};
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(ResolvableType.forClassWithGenerics(ResourceEventHandler.class, Widget.class));
		definition.setInstanceSupplier(() -> handler);
		return (context) -> context.registerBeanDefinition("failingHandler", definition);
	}

	private static List<JsonNode> lines(CapturedOutput output, String text) {
		return output.getOut()
			.lines()
			.filter((line) -> line.startsWith("{") && line.contains(text))
			.map(JsonMapper.shared()::readTree)
			.toList();
	}

	/** Returns all fields of a line, except for those of the format itself. */
	private static Map<String, Object> fields(JsonNode line) {
		return line.propertyStream()
			.filter((field) -> USED.contains(field.getKey()))
			.collect(Collectors.toMap(Map.Entry::getKey,
					(field) -> field.getValue().isInt() ? field.getValue().asInt() : field.getValue().asString()));
	}

	private static Set<String> used() {
		return Stream.of("reflector-core", "reflector-client", "reflector-spring-boot-autoconfigure")
			.flatMap((module) -> sources(SourceTree.ROOT.resolve(module).resolve("src/main")).stream())
			.flatMap((file) -> FIELD.matcher(read(file)).results())
			.map((field) -> field.group(1).replace("\"", ""))
			.collect(Collectors.toSet());
	}

	private static List<Path> sources(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Set<String> documented() throws IOException {
		String guide = Files.readString(SourceTree.ROOT.resolve("docs").resolve("operations.md"));
		String section = guide.substring(guide.indexOf("### Structured logging"), guide.indexOf("### Tracing"));
		return ROW.matcher(section).results().map((MatchResult row) -> row.group(1)).collect(Collectors.toSet());
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

}
