package com.example;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application of the quick start with {@code spring-boot-starter-actuator} and
 * {@code reactor-netty-http} excluded, and with them all that only they bring: there is
 * no endpoint, and the client of the JDK mirrors.
 */
@Timeout(value = 360, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WithExclusionsTests {

	private static final List<String> ACTUATOR = List.of("spring-boot-actuator", "spring-boot-starter-actuator",
			"spring-boot-health", "spring-boot-micrometer", "spring-boot-starter-micrometer", "micrometer-core",
			"micrometer-jakarta9", "HdrHistogram");

	@Test
	@EnabledIfSystemProperty(named = "tests.full", matches = "true", disabledReason = "runs with -Dtests.full=true")
	void mirrorsWithTheClientOfTheJdkAndWithoutAnEndpoint() throws Exception {
		List<Path> all = RuntimeClassPath.dependencies();
		List<Path> kept = all.stream().filter((entry) -> !isOfNetty(entry) && !isOfActuator(entry)).toList();
		assertThat(all.size() - kept.size()).isGreaterThanOrEqualTo(32);
		String classPath = Stream.concat(Stream.of(RuntimeClassPath.application()), kept.stream())
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			widgets.create(Map.of("metadata", Map.of("name", "widget-1"), "spec", Map.of("size", 17)));
			try (DemoProcess process = DemoProcess.start(DemoApplication.class, classPath,
					List.of("-Dspring.main.banner-mode=off"), server)) {
				process.awaitLine("ResourceAddedEvent[widgets default/widget-1 @ 2] has size 17");
				widgets.mergePatch("default", "widget-1", Map.of("spec", Map.of("size", 204)));
				process.awaitLine("ResourceUpdatedEvent[widgets default/widget-1 @ 3] has size 204");
				assertThat(process.stop()).noneMatch((line) -> line.contains("Exception") || line.contains("Error"))
					.contains("  endpoint: not there: add 'org.springframework.boot:spring-boot-starter-actuator'");
			}
		}
	}

	/** Whether only the actuator brings this library. */
	private static boolean isOfActuator(Path entry) {
		String name = entry.getFileName().toString();
		return ACTUATOR.stream().anyMatch(name::startsWith);
	}

	private static boolean isOfNetty(Path entry) {
		String name = entry.getFileName().toString();
		return name.startsWith("netty-") || name.startsWith("reactor-netty-");
	}

}
