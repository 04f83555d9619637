package dev.reflector.test.testcontainers;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.context.AutoConfigureReflectorProbe;
import dev.reflector.test.context.ReflectorProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.k3s.K3sContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link K3sReflectorConnectionDetailsFactory} with a container that is none:
 * its kubeconfig leads to an embedded server. Runs without Docker.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		classes = { WidgetApplication.class, K3sServiceConnectionTests.Config.class },
		properties = "reflector.api-server.url=http://127.0.0.1:1")
@AutoConfigureReflectorProbe
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class K3sServiceConnectionTests {

	@Test
	void theFactoryIsRegistered() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ConnectionDetailsFactory.class,
					// others stand for what is not on the class path here
					(type, name, failure) -> assertThat(name).doesNotStartWith("dev.reflector.test")))
			.hasAtLeastOneElementOfType(K3sReflectorConnectionDetailsFactory.class);
	}

	@Test
	void theApplicationFollowsTheContainer(@Autowired ReflectorConnectionDetails details,
			@Autowired EmbeddedApiServer server, @Autowired ReflectorProbe probe, @Autowired Lister<Widget> widgets) {
		server.resources("widgets").create("""
				{"metadata": {"name": "first"}}
				""");
		probe.awaitAdded(Widget.class, (event) -> event.key().name().equals("first"));
		assertThat(widgets.size()).isEqualTo(1);
		assertThat(details.getApiServer().url()).isEqualTo(server.url());
		assertThat(details.getApiServer().origin()).isEqualTo("kubeconfig of the K3s container, context default");
	}

	/**
	 * The container.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class Config {

		@Bean
		EmbeddedApiServer server() {
			return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		}

		@Bean
		@ServiceConnection
		K3sContainer container(EmbeddedApiServer server) {
			K3sContainer container = mock(K3sContainer.class);
			given(container.getDockerImageName()).willReturn("rancher/k3s:latest");
			given(container.isRunning()).willReturn(true);
			given(container.getKubeConfigYaml()).willReturn("""
					apiVersion: v1
					kind: Config
					current-context: default
					contexts:
					- name: default
					  context: {cluster: default, user: default}
					clusters:
					- name: default
					  cluster: {server: "%s"}
					users:
					- name: default
					  user: {}
					""".formatted(server.url()));
			return container;
		}

	}

}
