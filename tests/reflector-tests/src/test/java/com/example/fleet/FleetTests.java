package com.example.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.actuate.tracing.ReflectorDeliveryContext;
import dev.reflector.autoconfigure.ReflectorOptionsCustomizer;
import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/extending.md}, at work.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetTests {

	@Test
	void oneTypeIsMirroredFromTwoClusters(@TempDir Path folder) throws Exception {
		try (EmbeddedApiServer east = server(); EmbeddedApiServer west = server()) {
			open(east, "first", "Boston");
			open(west, "second", "Oakland");
			Path kubeconfig = folder.resolve("kubeconfig");
			Files.writeString(kubeconfig, west.kubeconfig().replace("embedded", "west"));
			try (ConfigurableApplicationContext context = run(WesternCluster.class,
					"--reflector.api-server.url=" + east.url(), "--west.kubeconfig=" + kubeconfig)) {
				await().until(() -> context.getBeanProvider(Reflector.class)
					.stream()
					.allMatch((reflector) -> reflector.hasSynced()));
				assertThat(lister(context, "western-sites").list()).extracting(Site::city).containsExactly("Oakland");
				assertThat(lister(context).list()).extracting(Site::city).containsExactly("Boston");
				assertThat(west.requests(RecordedRequest::isList)).hasSizeLessThan(2);
				open(west, "third", "Seattle");
				await().until(() -> lister(context, "western-sites").size() == 2);
			}
		}
	}

	@Test
	void aSourceOfItsOwnIsMirroredWithoutAnyServer() {
		try (ConfigurableApplicationContext context = run(InventoryApplication.class)) {
			Inventory inventory = context.getBean(Inventory.class);
			inventory.open("first", "Boston");
			Lister<Site> mirror = lister(context);
			await().until(() -> mirror.size() == 1);
			inventory.open("first", "Chicago");
			await().until(() -> context.getBean(Ledger.class).lines.contains("UPDATED first in Chicago"));
			assertThat(mirror.list()).extracting(Site::city).containsExactly("Chicago");
		}
	}

	@Test
	void observersGetTheReasonOfAnotherList() {
		try (EmbeddedApiServer server = server();
				ConfigurableApplicationContext context = run(Fleet.class,
						"--reflector.api-server.url=" + server.url())) {
			Reflector<?> reflector = context.getBean(Reflector.class);
			await().until(reflector::hasSynced);
			reflector.relist();
			server.resources("sites").create(Map.of("metadata", Map.of("name", "odd"), "city", Map.of()));
			Fleet fleet = context.getBean(Fleet.class);
			await().until(() -> fleet.alarms().contains("sites lists again: REQUESTED"));
			await().until(() -> fleet.alarms().stream().anyMatch((line) -> line.startsWith("sites leaves out odd: ")));
			assertThat(server.requests(RecordedRequest::isList)).first()
				.satisfies((request) -> assertThat(request.parameter("limit")).isEqualTo("50"));
		}
	}

	@Test
	void optionsOfOneReflectorAreChangedInOrder() {
		try (EmbeddedApiServer server = server();
				ConfigurableApplicationContext context = run(EvenSmallerPages.class,
						"--reflector.api-server.url=" + server.url())) {
			await().until(context.getBean(Reflector.class)::hasSynced);
			assertThat(server.requests(RecordedRequest::isList)).isNotEmpty()
				.allSatisfy((request) -> assertThat(request.parameter("limit")).isEqualTo("25"));
		}
	}

	@Test
	void aReflectorThatIsMadeByHandFollowsItsSource() throws Exception {
		try (ConfigurableApplicationContext context = run(Fleet.class, "--reflector.resources.sites.enabled=false")) {
			Inventory inventory = new Inventory();
			inventory.open("first", "Boston");
			Ledger ledger = new Ledger();
			SharedInformer<Site> informer = context.getBean(Fleet.ByHand.class).follow(inventory, ledger);
			await().until(() -> ledger.lines.contains("ADDED first in Boston"));
			inventory.open("second", "Oakland");
			await().until(() -> ledger.lines.contains("ADDED second in Oakland"));
			assertThat(informer.lister().size()).isEqualTo(2);
			informer.stop().toCompletableFuture().get(20, TimeUnit.SECONDS);
		}
	}

	@Test
	void deliveriesAreObservedUnderNamesOfTheApplication() {
		Queue<String> names = new ConcurrentLinkedQueue<>();
		try (EmbeddedApiServer server = server();
				ConfigurableApplicationContext context = run(FleetObservations.class,
						"--reflector.api-server.url=" + server.url())) {
			context.getBean(ObservationRegistry.class)
				.observationConfig()
				.observationHandler(new ObservationHandler<ReflectorDeliveryContext>() {

					@Override
					public void onStop(ReflectorDeliveryContext context) {
						names.add(context.getName() + ": " + context.getContextualName());
					}

					@Override
					public boolean supportsContext(Observation.Context context) {
						return context instanceof ReflectorDeliveryContext;
					}

				});
			await().until(context.getBean(Reflector.class)::hasSynced);
			open(server, "first", "Boston");
			await().until(() -> names.contains("fleet.change: ADDED in sites"));
		}
	}

	private static EmbeddedApiServer server() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Site", "sites", false).start();
	}

	private static void open(EmbeddedApiServer server, String name, String city) {
		server.resources("sites").create(Map.of("metadata", Map.of("name", name), "city", city));
	}

	private static ConfigurableApplicationContext run(Class<?> configuration, String... arguments) {
		return new SpringApplicationBuilder(Application.class, configuration).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED, "spring.reactor.netty.shutdown-quiet-period=0s",
					"reflector.api-server.required=false")
			.run(arguments);
	}

	private static Lister<Site> lister(ConfigurableApplicationContext context) {
		return context.<Lister<Site>>getBeanProvider(ResolvableType.forClassWithGenerics(Lister.class, Site.class))
			.getObject();
	}

	@SuppressWarnings("unchecked")
	private static Lister<Site> lister(ConfigurableApplicationContext context, String name) {
		return context.getBean(name + "Lister", Lister.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class EvenSmallerPages {

		@Bean
		@Order(2)
		ReflectorOptionsCustomizer last() {
			return (reflector, options) -> options.pageSize(25);
		}

		@Bean
		@Order(1)
		ReflectorOptionsCustomizer overruled() {
			return (reflector, options) -> options.initialList(ListSettings.InitialList.LIST).pageSize(10);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InventoryApplication {

		@Bean
		Inventory inventory() {
			return new Inventory();
		}

		@Bean
		Ledger ledger() {
			return new Ledger();
		}

	}

}
