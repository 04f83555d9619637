package dev.reflector.test.internal.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.LoadBalancer;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.fixture.ClientTls;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.options.PemIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for a server with TLS.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private final CertificateAuthority authority = CertificateAuthority.create();

	private EmbeddedApiServer server = start(describe().tls());

	private static EmbeddedApiServer.Builder describe() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true);
	}

	private static EmbeddedApiServer start(EmbeddedApiServer.Builder builder) {
		EmbeddedApiServer server = builder.start();
		server.resources("widgets").create("{\"metadata\":{\"name\":\"a\"}}");
		return server;
	}

	private void restart(EmbeddedApiServer.Builder builder) {
		this.server.close();
		this.server = start(builder);
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private TestClient client() {
		return new TestClient(this.server, ClientTls.trusting(this.server.caCertificate(), null));
	}

	private TestClient client(PemCertificate certificate) {
		return new TestClient(this.server, ClientTls.trusting(this.server.caCertificate(), certificate));
	}

	@Test
	void clientsThatTrustTheAuthorityAreServed() {
		assertThat(this.server.url()).hasScheme("https");
		TestClient client = client();
		assertThat(client.get(ALL).names()).containsExactly("a");
		try (TestClient.Stream watch = client.watch(ALL)) {
			assertThat(watch.event()).startsWith("ADDED a@");
			this.server.resources("widgets").create("{\"metadata\":{\"name\":\"b\"}}");
			assertThat(watch.event()).startsWith("ADDED b@");
		}
	}

	@Test
	void clientsThatTrustOthersRefuseTheServer() {
		TestClient client = new TestClient(this.server, ClientTls.trusting(this.authority.certificate(), null));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> client.get(ALL))
			.withCauseInstanceOf(SSLHandshakeException.class);
		assertThat(this.server.requests()).isEmpty();
	}

	@Test
	void plainHttpIsNotServed() {
		String url = this.server.url().toString().replace("https", "http");
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> TestClient.read(url + ALL));
	}

	@Test
	void aServerCanUseAGivenCertificate() {
		restart(describe().tls(this.authority.forServer()));
		assertThat(this.server.caCertificate()).isEqualTo(this.authority.certificate());
		assertThat(client().get(ALL).names()).containsExactly("a");
	}

	@Test
	void anotherCertificateIsSeenByNewConnectionsOnly() throws Exception {
		String before = this.server.caCertificate();
		SSLContext old = ClientTls.trusting(before, null);
		TestClient client = new TestClient(this.server, old);
		try (TestClient.Stream watch = client.watch(ALL + "?resourceVersion=" + this.server.resourceVersion())) {
			PemCertificate next = this.authority.forServer();
			this.server.useCertificate(next);
			this.server.resources("widgets").create("{\"metadata\":{\"name\":\"b\"}}");
			assertThat(watch.event()).startsWith("ADDED b@");
			// a second connection of the same context, which could take up a session
			assertThatExceptionOfType(SSLException.class).isThrownBy(() -> peer(old));
			assertThat(this.server.caCertificate()).isEqualTo(this.authority.certificate()).isNotEqualTo(before);
			assertThat(peer(ClientTls.trusting(this.authority.certificate(), null)))
				.isEqualTo(ClientTls.certificates(next.certificate()).get(0));
		}
		this.server.reset();
		assertThat(this.server.caCertificate()).isEqualTo(before);
		assertThat(peer(old)).isNotNull();
	}

	@Test
	void aCertificateOfTheSameAuthorityNeedsNoOtherTrust() throws Exception {
		PemCertificate first = this.authority.forServer();
		restart(describe().tls(first));
		SSLContext client = ClientTls.trusting(this.authority.certificate(), null);
		assertThat(peer(client)).isEqualTo(ClientTls.certificates(first.certificate()).get(0));
		PemCertificate second = this.authority.forServer();
		this.server.useCertificate(second);
		assertThat(peer(client)).isEqualTo(ClientTls.certificates(second.certificate()).get(0));
	}

	private X509Certificate peer(SSLContext context) throws IOException {
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", this.server.port())) {
			socket.startHandshake();
			return (X509Certificate) socket.getSession().getPeerCertificates()[0];
		}
	}

	@Test
	void clientsNeedACertificateOfTheRightAuthorityWhereOneIsRequired() {
		restart(describe().tls().requireClientCertificates(this.authority.certificate()));
		assertThat(client(this.authority.forClient("app")).get(ALL).names()).containsExactly("a");
		for (TestClient stranger : List.of(client(), client(CertificateAuthority.create().forClient("app")),
				client(this.authority.forServer()))) {
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> stranger.get(ALL));
		}
		assertThat(this.server.requests()).hasSize(1);
	}

	@Test
	void theAuthorityOfClientsMayChange() {
		CertificateAuthority second = CertificateAuthority.create();
		restart(describe().tls().requireClientCertificates(this.authority.certificate()));
		TestClient client = client(this.authority.forClient("app"));
		try (TestClient.Stream watch = client.watch(ALL)) {
			assertThat(watch.event()).startsWith("ADDED a@");
			this.server.acceptClientCertificates(second.certificate());
			this.server.resources("widgets").create("{\"metadata\":{\"name\":\"b\"}}");
			assertThat(watch.event()).startsWith("ADDED b@");
		}
		TestClient old = client(this.authority.forClient("app"));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> old.get(ALL));
		assertThat(client(second.forClient("app")).get(ALL).names()).containsExactly("a", "b");
		this.server.reset();
		assertThat(client(this.authority.forClient("app")).get(ALL).status()).isEqualTo(200);
	}

	@Test
	void certificatesMayBeMadeThatAreToBeRefused() throws Exception {
		Instant end = Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
		PemCertificate expired = this.authority.validUntil(end).forServer();
		assertThat(ClientTls.certificates(expired.certificate()).get(0).getNotAfter()).isEqualTo(end);
		assertThat(new PemIdentity(expired.certificate(), expired.key()).root())
			.isEqualTo(this.authority.certificate());
		X509Certificate elsewhere = ClientTls.certificates(this.authority.forHosts("api.test").certificate()).get(0);
		assertThat(elsewhere.getSubjectAlternativeNames().stream().map((name) -> name.get(1).toString()))
			.containsExactly("api.test");
	}

	@Test
	void stopsAndStartsWithTheSameCertificate() {
		TestClient client = client();
		TestClient.Stream watch = client.watch(ALL);
		assertThat(watch.event()).startsWith("ADDED a@");
		this.server.stop();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(watch::next);
		this.server.start();
		assertThat(client.get(ALL).names()).containsExactly("a");
	}

	@Test
	void faultsArePlayed() {
		TestClient client = client();
		this.server.fail(RecordedRequest::isList, 1, Fault.status(503));
		assertThat(client.get(ALL).status()).isEqualTo(503);
		for (Fault fault : List.of(Fault.disconnect(), Fault.reset(), Fault.truncate(20))) {
			// the JDK's client may repeat a request once
			this.server.fail(RecordedRequest::isList, 2, fault);
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> client.get(ALL));
			this.server.clearFaults();
			assertThat(client.get(ALL).status()).isEqualTo(200);
		}
	}

	@Test
	void aLoadBalancerPassesItOn() {
		try (LoadBalancer balancer = LoadBalancer.over(this.server)) {
			assertThat(balancer.url()).hasScheme("https");
			assertThat(balancer.url().getPort()).isNotEqualTo(this.server.port());
		}
	}

	@Test
	void certificatesAreValidForTheirHosts() throws Exception {
		X509Certificate certificate = ClientTls
			.certificates(this.authority.forServer("api.test", "10.1.2.3").certificate())
			.get(0);
		assertThat(certificate.getSubjectAlternativeNames().stream().map((name) -> name.get(1).toString()))
			.containsExactly("localhost", "127.0.0.1", InetAddress.getByName("::1").getHostAddress(), "api.test",
					"10.1.2.3");
		certificate.checkValidity();
		X509Certificate root = ClientTls.certificates(this.authority.certificate()).get(0);
		certificate.verify(root.getPublicKey());
		assertThat(root.getBasicConstraints()).isNotNegative();
		assertThat(certificate.getBasicConstraints()).isNegative();
		assertThat(certificate.getIssuerX500Principal()).isEqualTo(root.getSubjectX500Principal());
	}

	@Test
	void invalidSettingsAreRefusedWithoutRepeatingTheirText() {
		PemCertificate right = this.authority.forServer();
		assertThat(right).asString().doesNotContain("PRIVATE KEY");
		for (PemCertificate wrong : List.of(new PemCertificate("x", right.key()),
				new PemCertificate(right.certificate(), "secret"))) {
			assertThatIllegalArgumentException().isThrownBy(() -> describe().tls(wrong).build())
				.withMessageNotContaining("secret");
			assertThatIllegalArgumentException().isThrownBy(() -> this.server.useCertificate(wrong));
		}
		assertThat(client().get(ALL).status()).isEqualTo(200);
		assertThatIllegalArgumentException().isThrownBy(() -> describe().tls().requireClientCertificates("x").build());
		assertThatIllegalStateException()
			.isThrownBy(() -> describe().requireClientCertificates(this.authority.certificate()).build());
		EmbeddedApiServer plain = describe().build();
		assertThatIllegalStateException().isThrownBy(() -> plain.useCertificate(right));
		assertThatIllegalStateException().isThrownBy(plain::caCertificate);
	}

}
