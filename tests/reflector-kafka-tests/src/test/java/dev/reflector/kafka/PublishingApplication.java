package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.test.EmbeddedApiServer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application that mirrors widgets, and publishes what the properties say.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@AutoConfigurationPackage
class PublishingApplication {

	public static void main(String[] arguments) {
		new SpringApplicationBuilder(PublishingApplication.class).web(WebApplicationType.NONE).run(arguments);
	}

	static ConfigurableApplicationContext run(EmbeddedApiServer server, String servers, String... properties) {
		return run(List.of(PublishingApplication.class), server, servers, properties);
	}

	static ConfigurableApplicationContext run(List<Class<?>> sources, EmbeddedApiServer server, String servers,
			String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--reflector.api-server.url=" + server.url(), "--spring.kafka.bootstrap-servers=" + servers,
						"--spring.main.banner-mode=off", "--spring.reactor.netty.shutdown-quiet-period=0s"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run(arguments.toArray(String[]::new));
	}

	static EmbeddedApiServer server() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.historyWindow(1_000_000)
			.start();
	}

}
