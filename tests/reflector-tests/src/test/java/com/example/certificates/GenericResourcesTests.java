package com.example.certificates;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.reflector.ConsistencyReport;
import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/extending.md} about types without a class, at work.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GenericResourcesTests {

	@Test
	void theCodeOfTheGuideWorks() throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("cert-manager.io/v1", "Certificate", "certificates", true)
			.type("v1", "Secret", "secrets", true)
			.type("example.com/v1", "Note", "notes", true)
			.start(); ConfigurableApplicationContext context = start(server)) {
			ResourceCollection certificates = server.resources("certificates");
			certificates
				.create(Map.of("metadata", Map.of("name", "web"), "spec", Map.of("dnsNames", "web.example.com")));
			server.resources("secrets").create(Map.of("metadata", Map.of("name", "key"), "data", Map.of("a", "b")));
			server.resources("notes").create(Map.of("metadata", Map.of("name", "n"), "text", "long"));
			Certificates bean = context.getBean(Certificates.class);
			Renewals renewals = context.getBean(Renewals.class);
			certificates.mergePatch("default", "web", Map.of("status", Map.of("ready", true, "notAfter", "2027")));
			await().until(() -> bean.ready("default", "web"));
			await().untilAsserted(() -> assertThat(renewals.renewed).containsExactly("default/web until 2027"));
			Lister<?> secrets = context.getBean("secretNameLister", Lister.class);
			await().until(() -> secrets.size() == 1);
			Lister<?> notes = context.getBean("notesLister", Lister.class);
			await().until(() -> notes.size() == 1);
			assertThat(((GenericResource) notes.list().get(0)).content().propertyNames())
				.containsExactlyInAnyOrder("apiVersion", "kind", "metadata");
			for (String plural : new String[] { "secrets", "notes" }) {
				assertThat(server.requests((request) -> request.isAbout(plural) && request.isWatch())).isNotEmpty()
					.allSatisfy((request) -> assertThat(request.header("Accept"))
						.isEqualTo("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"));
			}
			assertThat(server.requests((request) -> request.isAbout("certificates")))
				.allSatisfy((request) -> assertThat(request.header("Accept")).isEqualTo("application/json"));
			assertThat(context.getBean(MirrorCheck.class).check().toCompletableFuture().get(30, TimeUnit.SECONDS))
				.satisfies((report) -> assertThat(report.result()).isEqualTo(ConsistencyReport.Result.EQUAL))
				.satisfies((report) -> assertThat(report.scopes().get(0).compared()).isEqualTo(1));
			assertThat(server.requests(RecordedRequest::isList)).last()
				.satisfies((request) -> assertThat(request.parameters()).containsEntry("resourceVersionMatch", "Exact")
					.containsEntry("limit", "500"));
			assertThat(context.getBeansOfType(Reflector.class)).hasSize(3);
		}
	}

	private static ConfigurableApplicationContext start(EmbeddedApiServer server) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED)
			.run("--reflector.api-server.url=" + server.url(), "--spring.reactor.netty.shutdown-quiet-period=100ms",
					"--reflector.resources.certificates.api-version=cert-manager.io/v1",
					"--reflector.resources.certificates.kind=Certificate",
					"--reflector.resources.notes.api-version=example.com/v1", "--reflector.resources.notes.kind=Note",
					"--reflector.resources.notes.metadata-only=true");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import({ Certificates.class, MirrorCheck.class, Renewals.class })
	static class Application {

	}

}
