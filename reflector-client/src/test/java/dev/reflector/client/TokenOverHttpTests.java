package dev.reflector.client;

import java.net.URI;
import java.time.Duration;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Impersonation;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.fixture.TestProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of tokens for servers without TLS: they are sent, and others may read them.
 */
@ExtendWith(OutputCaptureExtension.class)
class TokenOverHttpTests {

	private static final String WARNING = "The token is sent to ";

	@Test
	void aTokenForAnotherMachineIsSentWithAWarning(CapturedOutput output) throws Exception {
		try (RawServer server = RawServer.answering("{\"items\":[]}"); TestProxy proxy = new TestProxy(server.port())) {
			for (boolean allowed : new boolean[] { true, false }) {
				assertThat(output).doesNotContain(WARNING);
				ApiServerClient client = Clients.builder(server("http://10.96.0.1:6443", proxy, () -> "s3cret"))
					.allowTokenOverHttp(allowed)
					.build();
				list(client);
				list(client);
				client.disconnect();
			}
			assertThat(server.requests()).hasSize(4)
				.allMatch((request) -> "Bearer s3cret".equals(request.headers().get("authorization")));
			assertThat(output).containsOnlyOnce(WARNING + "http://10.96.0.1:6443")
				.contains("(the URL is from a test)", "'reflector.api-server.allow-token-over-http'")
				.doesNotContain("s3cret");
			// a proxy may forward requests to another machine
			list(Clients.builder(server("http://127.0.0.1:1", proxy, () -> "s3cret")).build());
			assertThat(output).containsOnlyOnce(WARNING + "http://127.0.0.1:1");
		}
	}

	@Test
	void withoutATokenOrAtThisMachineNothingIsSaid(CapturedOutput output) throws Exception {
		try (RawServer server = RawServer.answering("{\"items\":[]}"); TestProxy proxy = new TestProxy(server.port())) {
			list(Clients.builder(server("http://10.96.0.1:6443", proxy, TokenSource.none())).build());
			list(Clients.builder(new ApiServer(server.uri(), null, () -> "s3cret", "a test")).build());
			assertThat(server.requests()).hasSize(2);
			assertThat(server.requests().get(1).headers()).containsEntry("authorization", "Bearer s3cret");
		}
		assertThat(output).doesNotContain("WARN");
	}

	@ParameterizedTest
	@CsvSource({ "http://localhost:1,false", "http://LOCALHOST,false", "http://127.0.0.1,false",
			"http://127.1.2.3:80,false", "http://[::1]:80,false", "http://[0:0:0:0:0:0:0:1],false",
			"http://[::ffff:127.0.0.1],false", "https://10.0.0.1,false", "HTTPS://server,false", "http://10.0.0.1,true",
			"HTTP://server,true", "http://[::2],true", "http://[::],true", "http://0.0.0.0,true",
			"http://localhost.example.com,true", "http://127.0.0.1.example.com,true", "http://128.0.0.1,true" })
	void onlyTheMachineItselfIsSafeWithoutTls(String url, boolean exposed) {
		assertThat(ExposedToken.isExposed(new ApiServer(URI.create(url), null, TokenSource.none(), "a test")))
			.isEqualTo(exposed);
	}

	private static ApiServer server(String url, TestProxy proxy, TokenSource token) {
		return new ApiServer(URI.create(url), SslSource.of(null), token, Impersonation.NONE,
				new Route(URI.create("http://127.0.0.1:" + proxy.port()), null), "a test");
	}

	private static void list(ApiServerClient client) {
		assertThat(Clients.widgets(client).list(Clients.list()).block(Duration.ofSeconds(20)).items()).isEmpty();
	}

}
