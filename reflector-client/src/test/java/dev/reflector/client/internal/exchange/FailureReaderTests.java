package dev.reflector.client.internal.exchange;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.Status;
import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureReader}.
 */
class FailureReaderTests {

	private static final String TOKEN = "ey/abcdefghijklmnop+z";

	private static final SentCredentials SENT = new SentCredentials(TokenSource.of(TOKEN), true, SslSource.of(null),
			false);

	private final FailureReader reader = new FailureReader(() -> Instant.parse("2026-11-21T10:00:00Z"));

	private final HttpHeaders headers = new HttpHeaders();

	private final ApiRequest request = new CollectionUris(URI.create("https://host"),
			ResourceType.of("apps/v1", "Deployment", "deployments"), "", "")
		.list("deployments", new ListOptions("ns", "", 0, ""));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			7                             | 7
			0                             | 0
			-1                            | 0
			1.5                           | 0
			99999999999                   | 0
			soon                          | 0
			Sat, 21 Nov 2026 10:00:30 GMT | 30
			Sat, 21 Nov 2026 09:00:00 GMT | 0
			""")
	void understandsRetryAfter(String header, long seconds) {
		this.headers.set(HttpHeaders.RETRY_AFTER, header);
		assertThat(read(503, "").retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
	}

	@Test
	void takesTheLargestDelay() {
		String status = status(429, "TooManyRequests", ",\"details\":{\"retryAfterSeconds\":5}");
		assertThat(read(429, status).retryAfter()).isEqualTo(Duration.ofSeconds(5));
		this.headers.set(HttpHeaders.RETRY_AFTER, "3");
		assertThat(read(429, status).retryAfter()).isEqualTo(Duration.ofSeconds(5));
		this.headers.set(HttpHeaders.RETRY_AFTER, "8");
		assertThat(read(429, status).retryAfter()).isEqualTo(Duration.ofSeconds(8));
	}

	@Test
	void readsAStatus() {
		ApiException exception = read(410, status(410, "Expired", ""));
		assertThat(exception.status().isExpired()).isTrue();
		assertThat(exception).hasMessageContaining("GET /apis/apps/v1/namespaces/ns/deployments")
			.hasMessageContaining("410 Expired")
			.hasMessageContaining("some text");
	}

	@Test
	void fillsTheGapsOfAStatus() {
		ApiException exception = read(403, "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}");
		assertThat(exception.status().code()).isEqualTo(403);
		assertThat(exception.status().reason()).isEqualTo("Forbidden");
	}

	@Test
	void makesAStatusOutOfText() {
		ApiException exception = read(429, "Too many requests, please try again later.\n");
		assertThat(exception.status().reason()).isEqualTo("TooManyRequests");
		assertThat(exception.status().message()).isEqualTo("Too many requests, please try again later.");
		assertThat(read(502, "<html>" + "x".repeat(5000)).status().message()).hasSize(2048);
		assertThat(read(500, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",").status().reason())
			.isEqualTo("InternalError");
	}

	/** Such a body may contain an object. */
	@ParameterizedTest
	@ValueSource(strings = { "application/json", "application/cbor", "application/vnd.kubernetes.protobuf",
			"application/yaml", "text/json", "text/plain", "" })
	void showsNoBodyThatIsNoTextForPeople(String contentType) {
		if (!contentType.isEmpty()) {
			this.headers.set(HttpHeaders.CONTENT_TYPE, contentType);
		}
		for (String body : List.of("{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"data\":{\"a\":\"s3cret\"}}",
				" [\"s3cret\"]")) {
			ApiException exception = read(500, body);
			assertThat(exception.status()).isEqualTo(Status.ofHttp(500, ""));
			assertThat(exception.getMessage()).doesNotContain("s3cret");
		}
		boolean text = contentType.isEmpty() || contentType.equals("text/plain");
		assertThat(read(500, "no luck").status().message()).isEqualTo(text ? "no luck" : "");
	}

	static Stream<String> forms() {
		byte[] bytes = TOKEN.getBytes(StandardCharsets.UTF_8);
		return Stream.of(TOKEN, Base64.getEncoder().encodeToString(bytes),
				Base64.getUrlEncoder().encodeToString(("Bearer " + TOKEN).getBytes(StandardCharsets.UTF_8)),
				Base64.getEncoder().encodeToString(("x" + TOKEN + "x").getBytes(StandardCharsets.UTF_8)),
				URLEncoder.encode(TOKEN, StandardCharsets.UTF_8), "ey%2fabcdefghijklmnop%2bz");
	}

	@ParameterizedTest
	@MethodSource("forms")
	void doesNotShowTheTokenThatTheServerQuotes(String form) {
		String middle = form.substring(5, form.length() - 5);
		this.headers.set("X-Kubernetes-PF-FlowSchema-UID", "f" + form);
		this.headers.set(HttpHeaders.LOCATION, "/" + form);
		for (int code : new int[] { 307, 400, 429, 500 }) {
			for (String body : List.of("Authorization: Bearer " + form + " is no good",
					status(code, "A" + form, ",\"details\":{\"causes\":[{\"reason\":\"" + form + "\",\"message\":\""
							+ form + "\",\"field\":\"" + form + "\"}]}")
						.replace("some text", "not " + form))) {
				ApiException exception = read(code, body);
				assertThat(exception.toString() + exception.status() + exception.status().causes()).contains("***")
					.doesNotContain(middle);
			}
		}
	}

	@Test
	void doesNotShowTheTokenWhereATextIsCut() {
		for (int before = 2020; before < 2050; before++) {
			assertThat(read(500, "x".repeat(before) + TOKEN).status().message()).doesNotContain("ey/abcde");
		}
	}

	@Test
	void addsAdviceToTheMessage() {
		this.headers.set("X-Kubernetes-PF-FlowSchema-UID", "fs-1");
		assertThat(read(429, "")).hasMessageContaining("fs-1");
		assertThat(read(401, "")).hasMessageContaining("the server rejected the token of the connection details");
		assertThat(read(403, "")).hasMessageContaining("verb 'list' on resource 'deployments.apps' in namespace 'ns'");
		assertThat(read(404, "")).hasMessageContaining("CRD may not be installed");
	}

	/**
	 * A write to a deleted object must not suggest that the type is missing.
	 */
	@Test
	void doesNotTakeAnObjectThatIsGoneForATypeThatIsNotServed() {
		ApiRequest update = new CollectionUris(URI.create("https://host"),
				ResourceType.of("apps/v1", "Deployment", "deployments"), "", "")
			.update("deployments", "ns", "a", "{}");
		assertThat(read(update, 404, status(404, "NotFound", ""))).hasMessageEndingWith("404 NotFound: some text");
		assertThat(read(update, 404, "404 page not found")).hasMessageContaining("CRD may not be installed");
		assertThat(read(404, status(404, "NotFound", ""))).hasMessageContaining("CRD may not be installed");
	}

	/** Servers name a flow schema in every response, whatever its reason. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			fs-1 | throttled by the flow schema with UID fs-1
			-    | accepts no more requests now
			''   | accepts no more requests now
			' '  | accepts no more requests now
			""")
	void namesTheFlowSchemaThatThrottles(String flowSchema, String cause) {
		if (flowSchema != null) {
			this.headers.set("X-Kubernetes-PF-FlowSchema-UID", flowSchema);
		}
		assertThat(read(429, "Too many requests, please try again later.")).hasMessageContaining(cause);
		String status = status(429, "TooManyRequests", "");
		assertThat(read(429, status)).hasMessageEndingWith("429 TooManyRequests: some text");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					https://user:s3cret@login.example.com:8443/path?token=s3cret | redirects to https://login.example.com:8443, which
					http://[::1]/s3cret | redirects to http://[::1], which
					/s3cret             | redirects to another path, which
					::s3cret            | redirects, which
					-                   | redirects, which
					""")
	void saysWhereARedirectLeadsAndThatItIsNotFollowed(String location, String expected) {
		if (location != null) {
			this.headers.set(HttpHeaders.LOCATION, location);
		}
		for (int code : new int[] { 301, 302, 303, 307, 308 }) {
			assertThat(read(code, "")).hasMessageContaining(expected)
				.hasMessageContaining("not followed")
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
		}
	}

	private static String status(int code, String reason, String more) {
		return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":" + code + ",\"reason\":\"" + reason
				+ "\",\"message\":\"some text\"" + more + "}";
	}

	@Test
	void namesTheCredentialsThatWereRejected() {
		SslSource ssl = new SslSource() {

			@Override
			public SslBundle bundle() {
				return null;
			}

			@Override
			public String toString() {
				return "client-certificate of 'u'";
			}

		};
		TokenSource property = TokenSource.of(TOKEN, "'reflector.api-server.token'");
		assertThat(rejected(property, false, ssl, false))
			.contains("(no credentials were sent: set 'reflector.api-server.token' or "
					+ "'reflector.api-server.token-file', or name a kubeconfig");
		assertThat(rejected(property, true, ssl, false))
			.endsWith("(the server rejected the token of 'reflector.api-server.token': check the credentials)");
		assertThat(rejected(property, false, ssl, true)).endsWith(
				"(the server rejected the client certificate (client-certificate of 'u'): check the credentials)");
		assertThat(rejected(new TokenSource() {

			@Override
			public String token() {
				return TOKEN;
			}

		}, true, ssl, true)).endsWith("(the server rejected the token or the client certificate (client-certificate "
				+ "of 'u'): check the credentials)");
	}

	private String rejected(TokenSource source, boolean token, SslSource ssl, boolean certificate) {
		return this.reader
			.read(this.request, 401, this.headers, new byte[0], Redaction.NONE,
					new SentCredentials(source, token, ssl, certificate))
			.getMessage();
	}

	@Test
	void aServerWithTlsIsRecognizedByItsAnswer() {
		this.headers.set(HttpHeaders.CONTENT_TYPE, "text/plain");
		ApiRequest plain = ApiRequest.get(URI.create("http://host"), "/api");
		String said = "Client sent an HTTP request to an HTTPS server.\n";
		assertThat(
				this.reader.read(plain, 400, this.headers, said.getBytes(StandardCharsets.UTF_8), Redaction.NONE, SENT))
			.hasMessageEndingWith("(if the server uses TLS, begin its URL with https)");
		assertThat(read(400, said)).hasMessageEndingWith("HTTPS server.");
	}

	private ApiException read(int code, String body) {
		return read(this.request, code, body);
	}

	private ApiException read(ApiRequest request, int code, String body) {
		return this.reader.read(request, code, this.headers, body.getBytes(StandardCharsets.UTF_8),
				Redaction.of(Optional.of(TOKEN)), SENT);
	}

}
