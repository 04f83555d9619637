package dev.reflector.test.testcontainers;

import dev.reflector.Lister;
import dev.reflector.autoconfigure.ReflectedResourceScan;
import dev.reflector.test.context.AutoConfigureReflectorProbe;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.fixture.Zone;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application follows a real K3s, where there is Docker to run one.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureReflectorProbe
@Testcontainers(disabledWithoutDocker = true)
class K3sIntegrationTests {

	@Container
	@ServiceConnection
	static final K3sContainer k3s = new K3sContainer(DockerImageName.parse("rancher/k3s:v1.34.1-k3s1"));

	@Test
	void mirrorsTheNodeOfTheCluster(@Autowired ReflectorProbe probe, @Autowired Lister<Zone> nodes) {
		probe.awaitAdded(Zone.class, (event) -> true);
		assertThat(nodes.size()).isEqualTo(1);
	}

	/**
	 * An application that mirrors nodes.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ReflectedResourceScan(basePackageClasses = Zone.class)
	static class Config {

	}

}
