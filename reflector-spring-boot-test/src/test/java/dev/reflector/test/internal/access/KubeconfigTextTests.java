package dev.reflector.test.internal.access;

import java.net.URI;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.options.PemIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the kubeconfig of a server, read by what an application reads it with.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KubeconfigTextTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private static EmbeddedApiServer.Builder describe() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true);
	}

	@Test
	void ofAPlainServerNamesItsUrlOnly() {
		try (EmbeddedApiServer server = describe().start()) {
			ApiServer read = Kubeconfig.parse(server.kubeconfig(), "test", null);
			assertThat(read.url()).isEqualTo(server.url());
			assertThat(read.ssl().bundle()).isNull();
			assertThat(read.token().token()).isNull();
			assertThat(server.token()).isNull();
		}
	}

	@Test
	void holdsAllThatIsNeededToConnect() {
		CertificateAuthority clients = CertificateAuthority.create();
		try (EmbeddedApiServer server = describe().tls()
			.requireClientCertificates(clients.certificate())
			.requireToken("al\"pha", "beta")
			.start()) {
			ApiServer read = Kubeconfig.parse(server.kubeconfig(clients.forClient("app")), "test", null);
			assertThat(read.token().token()).isEqualTo("al\"pha");
			TestClient client = new TestClient(server, read.ssl().bundle().createSslContext());
			assertThat(client.send(client.request(ALL).header("Authorization", "Bearer al\"pha").build()).status())
				.isEqualTo(200);
			server.acceptTokens("gamma");
			assertThat(Kubeconfig.parse(server.kubeconfig(), "test", null).token().token()).isEqualTo("gamma");
			assertThat(server.token()).isEqualTo("gamma");
		}
	}

	@Test
	void itsTextFormShowsNoSecrets() {
		PemCertificate client = CertificateAuthority.create().forClient("app");
		KubeconfigText text = new KubeconfigText(URI.create("https://127.0.0.1:1"), null, "alpha",
				new PemIdentity(client.certificate(), client.key()));
		assertThat(text).hasToString("kubeconfig for https://127.0.0.1:1");
		assertThat(text.yaml()).contains("alpha");
	}

	@Test
	void thereIsNoneWithoutAPort() {
		assertThatIllegalStateException().isThrownBy(() -> describe().build().kubeconfig());
	}

}
