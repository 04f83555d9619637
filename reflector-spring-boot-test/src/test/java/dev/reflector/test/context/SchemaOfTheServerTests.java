package dev.reflector.test.context;

import java.util.List;
import java.util.Map;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a test whose server has the definition of a type reports a Java type that
 * does not fit it.
 */
@ReflectorTest
@ExtendWith(OutputCaptureExtension.class)
@ContextConfiguration(classes = { WidgetApplication.class, SchemaOfTheServerTests.Defined.class })
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchemaOfTheServerTests {

	@Test
	void typesAreComparedWithTheDefinition(@Autowired EmbeddedApiServer server, CapturedOutput output) {
		await().untilAsserted(() -> assertThat(output).contains("Reflector 'widgets': " + Widget.class.getName()
				+ " does not fit the server's schema of example.com/v1 Widget: 'spec.size' is a string in the schema, which "
				+ "cannot be read into int"));
		assertThat(server.requests((request) -> request.path().startsWith("/openapi"))).isEmpty();
		assertThat(server.resources("gadgets").list()).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	static class Defined {

		@Bean
		EmbeddedApiServerBuilderCustomizer definitions() {
			return (builder) -> builder.definition("""
					{"kind": "CustomResourceDefinition", "spec": {"group": "example.com", "scope": "Namespaced",
					 "names": {"kind": "Widget", "plural": "widgets"},
					 "versions": [{"name": "v1", "served": true, "schema": {"openAPIV3Schema": {"type": "object",
					  "properties": {"spec": {"type": "object", "properties": {"size": {"type": "string"}}}}}}}]}}""")
				.definition(Map.of("spec",
						Map.of("group", "example.com", "scope", "Cluster", "names",
								Map.of("kind", "Gadget", "plural", "gadgets", "shortNames", List.of("gd")), "versions",
								List.of(Map.of("name", "v2", "served", true), Map.of("name", "v1", "served", false)))));
		}

	}

}
