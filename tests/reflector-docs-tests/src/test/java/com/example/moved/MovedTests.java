package com.example.moved;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * This library's side of {@code docs/migrating.md}, kept true by running it.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class MovedTests {

	@Test
	void doesWhatTheOtherClientsDid(CapturedOutput output) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("v1", "Pod", "pods", true)
			.type("example.com/v1", "WebPage", "webpages", true)
			.start()) {
			ResourceCollection pages = server.resources("webpages");
			pages.create(Map.of("metadata", Map.of("name", "front")));
			String uid = pages.get("default", "front").orElseThrow().at("/metadata/uid").asString();
			try (ConfigurableApplicationContext application = SpringApplication.run(MovedApplication.class,
					"--spring.main.web-application-type=none", "--spring.reactor.netty.shutdown-quiet-period=0s",
					"--reflector.api-server.url=" + server.url())) {
				await("front has 0", output);
				ResourceCollection pods = server.resources("pods");
				pods.create(Map.of("metadata", Map.of("name", "a", "ownerReferences", List.of(owner(uid))), "status",
						Map.of("phase", "Pending")));
				await("front has 1", output);
				pods.mergePatch("default", "a", Map.of("status", Map.of("phase", "Running")));
				await("Pending -> Running", output);
				PodPhases phases = application.getBean(PodPhases.class);
				assertThat(phases.in("default")).extracting((pod) -> pod.metadata().name()).containsExactly("a");
				assertThat(phases.in("elsewhere")).isEmpty();
				assertThat(application.getBeansOfType(Lister.class)).hasSize(2);
			}
		}
	}

	private static Map<String, Object> owner(String uid) {
		return Map.of("apiVersion", "example.com/v1", "kind", "WebPage", "name", "front", "uid", uid);
	}

	private static void await(String line, CapturedOutput output) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(output.getOut()).contains(line));
	}

	@SpringBootApplication
	static class MovedApplication {

	}

}
