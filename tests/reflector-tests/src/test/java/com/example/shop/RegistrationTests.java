package com.example.shop;

import java.util.Map;

import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A type that is mirrored twice, as {@code docs/reading.md} shows, over a socket.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegistrationTests {

	@Test
	void aTypeIsMirroredTwice() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Order", "orders", true)
			.type("example.com/v1", "Invoice", "invoices", true)
			.start()) {
			ResourceCollection orders = server.resources("orders");
			orders.create(Map.of("metadata", Map.of("name", "a", "namespace", "east"), "price", 1));
			orders.create(Map.of("metadata", Map.of("name", "b", "namespace", "west"), "price", 1));
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties(UnrelatedAutoConfigurations.EXCLUDED)
				.run("--reflector.api-server.url=" + server.url(), "--spring.reactor.netty.shutdown-quiet-period=0s")) {
				EasternOrders mirrors = context.getBean(EasternOrders.class);
				await().until(() -> mirrors.all().size() == 2 && mirrors.eastern().size() == 1);
				assertThat(mirrors.eastern().get("east", "a")).isNotNull();
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import(EasternOrders.class)
	static class Application {

		// the guide shows it so
		@Bean
		static ReflectedResourceRegistration<Order> eastern() {
			return ReflectedResourceRegistration.of(Order.class, "example.com/v1")
				.withName("eastern-orders")
				.withNamespaces("east");
		}

	}

}
