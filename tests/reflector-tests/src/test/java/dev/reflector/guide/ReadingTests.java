package dev.reflector.guide;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
 * The code of {@code docs/reading.md}, over a socket.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadingTests {

	private EmbeddedApiServer server;

	private ResourceCollection deployments;

	private ConfigurableApplicationContext context;

	private Replicas replicas;

	private ReplicasAfter after;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder().type("apps/v1", "Deployment", "deployments", true).start();
		this.deployments = this.server.resources("deployments");
		create("web", 3);
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED)
			.run("--reflector.api-server.url=" + this.server.url(),
					"--spring.reactor.netty.shutdown-quiet-period=100ms");
		assertThat(this.context.getBean(Reading.class)).isNotNull();
		this.replicas = this.context.getBean(Replicas.class);
		this.after = this.context.getBean(ReplicasAfter.class);
	}

	@AfterEach
	void stop() {
		this.context.close();
		this.server.close();
	}

	private String create(String name, int replicas) {
		return this.deployments.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("replicas", replicas)))
			.at("/metadata/resourceVersion")
			.asString();
	}

	private String scale(String name, int replicas) {
		return this.deployments.mergePatch("default", name, Map.of("spec", Map.of("replicas", replicas)))
			.at("/metadata/resourceVersion")
			.asString();
	}

	@Test
	void e28_aWriteIsReadBack() throws Exception {
		for (int i = 10; i < 60; i++) {
			assertThat(this.after.replicasAfter(scale("web", i), "web")).isEqualTo(i);
		}
		assertThat(this.context.getBean(ReplicasSoon.class)
			.replicasSoonAfter(scale("web", 70), "web")
			.block(Duration.ofSeconds(20))).isEqualTo(70);
		assertThat(this.replicas.large()).hasSize(1);
		assertThat(this.replicas.replicas("default", "none")).isZero();
		assertThat(this.replicas.wanted("default", "web")).contains(70);
		assertThat(this.replicas.wanted("default", "none")).isEmpty();
		this.after.replicasAfter(create("db", 5), "db");
		assertThat(this.replicas.total("default")).isEqualTo(75);
		assertThat(this.replicas.total("")).isEqualTo(75);
		assertThat(this.replicas.total("other")).isZero();
	}

	@Test
	void i40_aLateHandlerGetsTheExistingObjectsAndThenTheChanges() throws Exception {
		this.after.replicasAfter(create("db", 1), "db");
		Queue<String> heard = new ConcurrentLinkedQueue<>();
		HandlerRegistration registration = this.context.getBean(Followers.class)
			.follow((change) -> heard.add(change.type() + " " + change.key().name() + " " + change.initialList()));
		registration.synced().toCompletableFuture().get(20, TimeUnit.SECONDS);
		assertThat(heard).containsExactlyInAnyOrder("ADDED web true", "ADDED db true");
		scale("web", 4);
		await().until(() -> heard.contains("UPDATED web false"));
		registration.remove().toCompletableFuture().get(20, TimeUnit.SECONDS);
		this.after.replicasAfter(scale("web", 5), "web");
		assertThat(heard).hasSize(3);
	}

	@Test
	void i26_theCountIsComplete() throws Exception {
		assertThat(this.context.getBean(Report.class).count()).isEqualTo(1);
	}

	@Test
	void aStreamSurvivesLostConnectionsAndRestartsAndCompletesWithTheContext() throws Exception {
		Queue<String> names = new ConcurrentLinkedQueue<>();
		CompletableFuture<List<String>> all = this.context.getBean(Names.class)
			.names()
			.doOnNext(names::add)
			.collectList()
			.toFuture();
		await().until(() -> names.contains("web"));
		this.after.replicasAfter(scale("web", 4), "web");
		this.server.closeWatches();
		create("db", 1);
		await().until(() -> names.contains("db"));
		SharedInformer<?> informer = this.context.getBean(SharedInformer.class);
		informer.stop().toCompletableFuture().get(20, TimeUnit.SECONDS);
		create("cache", 1);
		informer.start();
		await().until(() -> names.contains("cache"));
		assertThat(all).isNotDone();
		this.context.close();
		assertThat(all.get(20, TimeUnit.SECONDS)).containsExactly("web", "db", "cache");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import({ Reading.class, Replicas.class, ReplicasAfter.class, ReplicasSoon.class, Names.class, Followers.class,
			Report.class })
	static class Application {

		@Bean
		IndexFunction<Deployment> size() {
			return (deployment) -> List.of((deployment.spec().replicas() > 10) ? "large" : "small");
		}

	}

}
