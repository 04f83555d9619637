package dev.reflector.test;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import dev.reflector.client.ApiServer;
import dev.reflector.client.Kubeconfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/embedded-server.md}, kept true by running it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DocumentationTests {

	@Test
	void codeOfTheGuide() throws Exception {
		// tag::start[]
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("apps/v1", "Deployment", "deployments", true, "deploy")
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			widgets.create("""
					{"metadata": {"name": "first"}, "spec": {"size": 1}}
					""");
			widgets.mergePatch("default", "first", """
					{"spec": {"size": 2}}
					""");
			// end::start[]
			HttpClient http = HttpClient.newHttpClient();
			HttpRequest list = HttpRequest.newBuilder(server.url().resolve("/apis/example.com/v1/widgets")).build();
			assertThat(http.send(list, BodyHandlers.ofString()).body()).contains("\"size\":2");
			// tag::faults[]
			server.fail(RecordedRequest::isList, 2, Fault.status(429).withRetryAfter(1));
			server.fail((request) -> request.isWatch() && request.isAbout("widgets"), 1, Fault.disconnect());
			// end::faults[]
			assertThat(http.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(429);
			// tag::history[]
			server.compact();
			server.closeWatches();
			// end::history[]
			// tag::requests[]
			assertThat(server.requests(RecordedRequest::isList)).hasSize(2);
			// end::requests[]
			// tag::types[]
			ResourceCollection gadgets = server.addType("example.com/v1", "Gadget", "gadgets", true);
			server.removeType("example.com/v1", "widgets");
			// end::types[]
			assertThat(gadgets.list()).isEmpty();
			server.clearFaults();
			assertThat(http.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
		}
	}

	@Test
	void codeAboutAccess(@TempDir Path directory) throws Exception {
		// tag::tls[]
		CertificateAuthority authority = CertificateAuthority.create();
		EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.requireClientCertificates(authority.certificate())
			.start();
		PemCertificate client = authority.forClient("my-application");
		// end::tls[]
		try (server) {
			Instant yesterday = Instant.now().minus(Duration.ofDays(1));
			// tag::refused[]
			server.useCertificate(authority.validUntil(yesterday).forServer());
			server.useCertificate(authority.forHosts("elsewhere.test"));
			// end::refused[]
			// tag::certificate[]
			server.useCertificate(CertificateAuthority.create().forServer());
			// end::certificate[]
			// tag::tokens[]
			server.acceptTokens("alpha", "beta");
			// end::tokens[]
			Path file = directory.resolve("kubeconfig");
			// tag::kubeconfig[]
			Files.writeString(file, server.kubeconfig(client));
			// end::kubeconfig[]
			ApiServer described = Kubeconfig.load(file, null);
			HttpClient http = HttpClient.newBuilder().sslContext(described.sslBundle().createSslContext()).build();
			HttpRequest list = HttpRequest.newBuilder(described.url().resolve("/apis/example.com/v1/widgets"))
				.header("Authorization", "Bearer " + described.token().token())
				.build();
			assertThat(http.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
		}
	}

}
