package com.example.writes;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.actuate.write.ReflectorWritesEndpoint;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.Written;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.Yaml;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application that writes: its printed role is what it needs, and its meters
 * and endpoint show what it does.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WritingApplicationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Site", "sites", true)
		.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	private ConfigurableApplicationContext start(String mode, Class<?>... more) {
		return new SpringApplicationBuilder(Application.class).sources(more)
			.web(WebApplicationType.NONE)
			.run("--spring.application.name=shop", "--reflector.api-server.url=" + this.server.url(),
					"--sites.api-version=example.com/v1", "--reflector.writes.mode=" + mode,
					"--reflector.resources.unused-sites.enabled=false", "--reflector.watch.initial-list=list",
					"--management.endpoints.web.exposure.include=*");
	}

	@Test
	@LongFormOnly
	void theRoleAllowsWhatTheServerSees() throws InterruptedException {
		try (ConfigurableApplicationContext application = start("on")) {
			ResourceWriter writer = application.getBean(ResourceWriter.class);
			Lister<Site> sites = sites(application);
			Written<SiteSettings> applied = writer.apply(settings(AppliedMeta.named("default", "a"), "one"));
			assertThat(applied.awaitMirrored(PATIENCE)).isTrue();
			Site site = sites.get("default", "a");
			AppliedMeta metadata = AppliedMeta.of(site.metadata());
			assertThat(writer.apply(settings(metadata, "two")).awaitMirrored(PATIENCE)).isTrue();
			assertThat(writer.apply(settings(metadata, "two")).skipped()).isTrue();
			assertThat(writer.status(metadata, new SiteStatus("Ready")).awaitMirrored(PATIENCE)).isTrue();
			writer.create(settings(AppliedMeta.named("default", "b"), "two"));
			assertThat(writer.delete(sites.get("default", "a")).awaitMirrored(PATIENCE)).isTrue();
			String role = application.getBean(RbacManifest.class).yaml();
			Set<String> seen = seen();
			// for a status, when the mirror is behind
			seen.add("sites get");
			assertThat(allowed(role.replaceAll("] # and (\"delete\"), .*", ", $1]"))).isEqualTo(seen);
			assertThat(allowed(role)).contains("sites patch", "sites/status patch").doesNotContain("sites delete");
			assertThat(application.getBean(ReflectorWritesEndpoint.class).writes()).satisfies((writes) -> {
				assertThat(writes.mode()).isEqualTo("on");
				assertThat(writes.counts()).containsEntry("changed", 5L).containsEntry("skipped", 1L);
				assertThat(writes.dryRuns()).isEmpty();
			});
			MeterRegistry meters = application.getBean(MeterRegistry.class);
			assertThat(meters.get("reflector.writes")
				.tags("operation", "apply", "type", "SiteSettings", "outcome", "skipped")
				.timer()
				.count()).isOne();
			assertThat(meters.get("reflector.writes").tags("operation", "status", "outcome", "changed").timer().count())
				.isOne();
			assertThat(this.server.requests((request) -> request.parameter("fieldManager") != null))
				.extracting(RecordedRequest::manager)
				.containsOnly("shop/SiteSettings", "shop/SiteStatus");
		}
	}

	@Test
	@LongFormOnly
	void aDryRunShowsWhatWouldChange() {
		this.server.resources("sites").create("{\"metadata\": {\"name\": \"a\"}}");
		try (ConfigurableApplicationContext application = start("dry-run")) {
			Site site = sites(application).get("default", "a");
			AppliedMeta metadata = AppliedMeta.of(site.metadata());
			ResourceWriter writer = application.getBean(ResourceWriter.class);
			writer.apply(settings(metadata, "one"));
			writer.status(metadata, new SiteStatus("Ready"));
			writer.apply(settings(AppliedMeta.named("default", "b"), "one"));
			writer.delete(site);
			assertThat(allowed(
					application.getBean(RbacManifest.class).yaml().replaceAll("] # and (\"delete\"), .*", ", $1]")))
				.isEqualTo(seen());
			assertThat(application.getBean(ReflectorWritesEndpoint.class).writes()).satisfies((writes) -> {
				assertThat(writes.mode()).isEqualTo("dry-run");
				assertThat(writes.dryRuns()).extracting((tried) -> tried.operation() + " " + tried.key())
					.containsExactly("apply default/a", "status default/a", "apply default/b", "delete default/a");
				assertThat(writes.dryRuns().get(0).changes()).containsExactly("spec.host");
			});
			assertThat(application.getBean(MeterRegistry.class)
				.get("reflector.writes.changes")
				.tags("type", "SiteStatus", "path", "status.phase")
				.counter()
				.count()).isOne();
			assertThat(this.server.resources("sites").size()).isOne();
		}
	}

	/** As the last status of an application. */
	@Test
	@LongFormOnly
	void aBeanMayWriteWhileItIsDestroyed() {
		start("on", Leaving.class).close();
		assertThat(this.server.resources("sites").get("default", "left")).isPresent();
	}

	private static SiteSettings settings(AppliedMeta metadata, String host) {
		return new SiteSettings(metadata, new SiteSettings.Spec(host));
	}

	@SuppressWarnings("unchecked")
	private static Lister<Site> sites(ConfigurableApplicationContext application) {
		return (Lister<Site>) application.getBeanProvider(ResolvableType.forClassWithGenerics(Lister.class, Site.class))
			.getObject();
	}

	private static Set<String> allowed(String role) {
		Map<String, Iterable<Map<String, Iterable<String>>>> read = new Yaml().load(role);
		Set<String> allowed = new TreeSet<>();
		read.get("rules")
			.forEach((rule) -> rule.get("resources")
				.forEach((resource) -> rule.get("verbs").forEach((verb) -> allowed.add(resource + " " + verb))));
		return allowed;
	}

	private Set<String> seen() {
		return this.server.requests((request) -> request.isAbout("sites"))
			.stream()
			.flatMap(WritingApplicationTests::needs)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** An apply that creates needs both verbs. */
	private static Stream<String> needs(RecordedRequest request) {
		String resource = request.path().endsWith("/status") ? "sites/status" : "sites";
		boolean creates = request.body() != null && !request.body().contains("\"uid\"");
		return switch (request.method()) {
			case "POST" -> Stream.of(resource + " create");
			case "PATCH" ->
				creates ? Stream.of(resource + " patch", resource + " create") : Stream.of(resource + " patch");
			case "DELETE" -> Stream.of(resource + " delete");
			default -> request.isWatch() || request.isList() ? Stream.of("sites list", "sites watch")
					: Stream.of(resource + " get");
		};
	}

	/**
	 * An application that also mirrors sites of another cluster, whose versions are far
	 * behind, and has disabled a third reflector of sites. Neither of these two
	 * reflectors can show what the application writes.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

		@Bean
		static ReflectedResourceRegistration<WesternSite> western() {
			return ReflectedResourceRegistration.of(WesternSite.class, "example.com/v1", "Site")
				.withName("western-sites");
		}

		@Bean
		static ReflectedResourceRegistration<UnusedSite> unused() {
			return ReflectedResourceRegistration.of(UnusedSite.class, "example.com/v1", "Site")
				.withName("unused-sites");
		}

		@Bean
		ListerWatcher<WesternSite> westernSites() {
			return new ListerWatcher<>() {

				@Override
				public Mono<ListPage<WesternSite>> list(ListOptions options) {
					return Mono.just(new ListPage<>(List.of(), "1", "", List.of()));
				}

				@Override
				public Flux<WatchEvent<WesternSite>> watch(WatchOptions options) {
					return Flux.never();
				}

			};
		}

	}

	/** Is created before the mirrors, and so destroyed after them. */
	static class Leaving implements DisposableBean {

		private final ResourceWriter writer;

		Leaving(ResourceWriter writer) {
			this.writer = writer;
		}

		@Override
		public void destroy() {
			this.writer.apply(settings(AppliedMeta.named("default", "left"), "none"));
		}

	}

	record WesternSite(ObjectMeta metadata) {

	}

	record UnusedSite(ObjectMeta metadata) {

	}

}
