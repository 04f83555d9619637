package com.example.shop;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/recipes.md} that needs no database, over a socket.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class RecipeTests {

	@Test
	void aControllerARunnerAndAnAsyncListenerUseTheMirror(CapturedOutput output) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Order", "orders", true)
			.type("example.com/v1", "Invoice", "invoices", true)
			.start()) {
			ResourceCollection orders = server.resources("orders");
			create(orders, "first", 3);
			create(orders, "second", 4);
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties(UnrelatedAutoConfigurations.EXCLUDED)
				.run("--reflector.api-server.url=" + server.url(), "--spring.reactor.netty.shutdown-quiet-period=0s")) {
				assertThat(output).contains("2 orders for 7 together");
				assertThat(context.getBean(Constructed.class).seen).isZero();
				WebTestClient client = WebTestClient.bindToController(context.getBean(OrderController.class)).build();
				client.get().uri("/orders/default/second").exchange().expectBody().jsonPath("$.price").isEqualTo(4);
				client.get().uri("/orders/default").exchange().expectBody().jsonPath("$.length()").isEqualTo(2);
				client.get().uri("/orders/default/third").exchange().expectStatus().isNotFound();
				create(orders, "third", 5);
				Mailer mailer = context.getBean(Mailer.class);
				await().untilAsserted(() -> assertThat(mailer.mailed()).singleElement()
					.asString()
					.startsWith("third by ")
					.doesNotContain("reflector-"));
			}
		}
	}

	private static void create(ResourceCollection orders, String name, int price) {
		orders.create(Map.of("metadata", Map.of("name", name), "price", price));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import({ OrderController.class, OpeningReport.class, Mailer.class, Constructed.class })
	static class Application {

	}

	/** A constructor runs before the reflectors start. */
	static class Constructed {

		private final int seen;

		Constructed(Lister<Order> orders) {
			this.seen = orders.size();
		}

	}

}
