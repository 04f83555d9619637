package dev.reflector.guide;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of {@code docs/testing.md} about the embedded server, and more of that server,
 * kept true by running it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DocumentationTests {

	@Test
	void codeOfTheGuide() throws Exception {
		write();
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			HttpClient http = HttpClient.newHttpClient();
			HttpRequest list = HttpRequest.newBuilder(server.url().resolve("/apis/example.com/v1/widgets")).build();
			assertThat(http.send(list, BodyHandlers.ofString()).body()).contains("\"items\":[]");
			play(server);
			assertThat(http.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(429);
			compact(server);
			count(server);
			change(server);
			assertThat(server.resources("gadgets").list()).isEmpty();
			server.clearFaults();
			assertThat(http.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
		}
	}

	void write() {
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
			assertThat(widgets.get("default", "first").orElseThrow().at("/spec/size").asInt()).isEqualTo(2);
		}
	}

	void play(EmbeddedApiServer server) {
		server.fail(RecordedRequest::isList, 2, Fault.status(429).withRetryAfter(1));
		server.fail((request) -> request.isWatch() && request.isAbout("widgets"), 1, Fault.disconnect());
	}

	void compact(EmbeddedApiServer server) {
		server.compact();
		server.closeWatches();
	}

	void count(EmbeddedApiServer server) {
		assertThat(server.requests(RecordedRequest::isList)).hasSize(2);
	}

	void change(EmbeddedApiServer server) {
		ResourceCollection gadgets = server.addType("example.com/v1", "Gadget", "gadgets", true);
		server.removeType("example.com/v1", "widgets");
		assertThat(gadgets.list()).isEmpty();
	}

	@Test
	void codeAboutAccess(@TempDir Path directory) throws Exception {
		CertificateAuthority authority = CertificateAuthority.create();
		try (EmbeddedApiServer server = start(authority)) {
			PemCertificate client = authority.forClient("my-application");
			use(server, authority);
			rotate(server);
			accept(server);
			Path file = directory.resolve("kubeconfig");
			write(server, client, file);
			ApiServer described = Kubeconfig.load(file, null);
			HttpClient http = HttpClient.newBuilder().sslContext(described.ssl().bundle().createSslContext()).build();
			HttpRequest list = HttpRequest.newBuilder(described.url().resolve("/apis/example.com/v1/widgets"))
				.header("Authorization", "Bearer " + described.token().token())
				.build();
			assertThat(http.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
		}
	}

	EmbeddedApiServer start(CertificateAuthority authority) {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.requireClientCertificates(authority.certificate())
			.start();
	}

	void use(EmbeddedApiServer server, CertificateAuthority authority) {
		Instant yesterday = Instant.now().minus(Duration.ofDays(1));
		server.useCertificate(authority.validUntil(yesterday).forServer());
		server.useCertificate(authority.forHosts("elsewhere.test"));
	}

	void rotate(EmbeddedApiServer server) {
		server.useCertificate(CertificateAuthority.create().forServer());
	}

	void accept(EmbeddedApiServer server) {
		server.acceptTokens("alpha", "beta");
	}

	void write(EmbeddedApiServer server, PemCertificate client, Path file) throws IOException {
		Files.writeString(file, server.kubeconfig(client));
	}

}
