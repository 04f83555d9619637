package dev.reflector.test.context;

import java.util.List;
import java.util.Map;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a server with options that the annotations do not have.
 */
@ReflectorTest
@ContextConfiguration(classes = { WidgetApplication.class, CustomizedServerTests.Customizing.class })
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CustomizedServerTests {

	@Test
	void customizerBeansConfigureTheServer(@Autowired EmbeddedApiServer server, @Autowired Lister<Widget> mirror,
			@Autowired ReflectorProbe probe) {
		ResourceCollection widgets = server.resources("widgets");
		List.of("a", "b", "c")
			.forEach((name) -> widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1))));
		probe.awaitCaughtUp();
		assertThat(mirror.list()).hasSize(3);
		// the application is given the token too
		assertThat(server.kubeconfig()).contains("alpha");
	}

	@Test
	void aSecondServerOfTheTestIsNotTheServerOfTheApplication(@Autowired EmbeddedApiServer server,
			@Autowired @Qualifier("western") EmbeddedApiServer western,
			@Autowired ReflectorConnectionDetails connection) {
		assertThat(connection.getApiServer().url()).isEqualTo(server.url()).isNotEqualTo(western.url());
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizing {

		@Bean
		EmbeddedApiServerBuilderCustomizer strictServer() {
			return (builder) -> builder.bookmarkEvery(3).unordered(true).requireToken("alpha");
		}

		@Bean(destroyMethod = "close")
		EmbeddedApiServer western() {
			return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		}

	}

}
