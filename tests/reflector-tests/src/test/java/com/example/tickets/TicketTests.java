package com.example.tickets;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the code of {@code docs/recipes.md} about values that an enum does not contain,
 * over a socket.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TicketTests {

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Ticket", "tickets", true)
		.start();

	private final ResourceCollection tickets = this.server.resources("tickets");

	private ConfigurableApplicationContext context;

	private void run(String... arguments) {
		create("known", "Open");
		create("new", "Frozen");
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED, "reflector.api-server.url=" + this.server.url(),
					"reflector.startup.strict=true", "spring.reactor.netty.shutdown-quiet-period=0s")
			.run(arguments);
	}

	@AfterEach
	void stop() {
		this.context.close();
		this.server.close();
	}

	private void create(String name, String phase) {
		this.tickets.create(Map.of("metadata", Map.of("name", name), "phase", phase));
	}

	private <T> Lister<T> mirror(Class<T> type) {
		return this.context.<Lister<T>>getBeanProvider(ResolvableType.forClassWithGenerics(Lister.class, type))
			.getObject();
	}

	@Test
	void anObjectWithAValueThatTheEnumDoesNotKnowIsSkipped() {
		run();
		Lister<StrictTicket> mirror = mirror(StrictTicket.class);
		Reflector<?> reflector = this.context.getBean("strictTicketReflector", Reflector.class);
		assertThat(mirror.list()).extracting(StrictTicket::phase).containsExactly(StrictTicket.Phase.Open);
		this.tickets.mergePatch("default", "known", Map.of("phase", "Frozen"));
		await().until(() -> reflector.status().skipped() == 2);
		assertThat(mirror.list()).extracting(StrictTicket::phase).containsExactly(StrictTicket.Phase.Open);
	}

	@Test
	void oneWithADefaultValueIsNot() {
		run();
		Lister<Ticket> mirror = mirror(Ticket.class);
		assertThat(mirror.get("default", "new").phase()).isEqualTo(Ticket.Phase.OTHER);
		assertThat(mirror.get("default", "known").phase()).isEqualTo(Ticket.Phase.OPEN);
	}

	@Test
	void thePropertyOfSpringBootMakesItNull() {
		run("--spring.jackson.datatype.enum.read-unknown-enum-values-as-null=true");
		Lister<StrictTicket> mirror = mirror(StrictTicket.class);
		assertThat(mirror.get("default", "new").phase()).isNull();
		assertThat(mirror.get("default", "known").phase()).isEqualTo(StrictTicket.Phase.Open);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

	}

}
