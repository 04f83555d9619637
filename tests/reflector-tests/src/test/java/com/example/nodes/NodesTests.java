package com.example.nodes;

import java.util.Map;

import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/reading.md} about objects without a namespace, over a socket.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodesTests {

	@Test
	void anObjectWithoutANamespaceIsFoundByItsName() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder().type("v1", "Node", "nodes", false).start()) {
			ResourceCollection nodes = server.resources("nodes");
			nodes.create(Map.of("metadata", Map.of("name", "n1"), "spec", Map.of()));
			nodes.create(Map.of("metadata", Map.of("name", "n2"), "spec", Map.of("unschedulable", true)));
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties(UnrelatedAutoConfigurations.EXCLUDED)
				.run("--reflector.api-server.url=" + server.url(), "--spring.reactor.netty.shutdown-quiet-period=0s")) {
				Nodes mirrored = context.getBean(Nodes.class);
				assertThat(mirrored.schedulable("n1")).isTrue();
				assertThat(mirrored.schedulable("n2")).isFalse();
				assertThat(mirrored.schedulable("n3")).isFalse();
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import(Nodes.class)
	static class Application {

	}

}
