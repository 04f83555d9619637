package dev.reflector.test.context;

import java.util.Map;
import java.util.Objects;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that is pointed at an embedded server with TLS.
 */
@ReflectorTest(tls = true)
@ContextConfiguration(classes = WidgetApplication.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsServerTests {

	@Autowired
	private EmbeddedApiServer server;

	@Autowired
	private Reflector<Widget> reflector;

	@Autowired
	private Lister<Widget> widgets;

	@Autowired
	private ReflectorProbe probe;

	@Test
	void theApplicationIsGivenTheAuthorityToTrust(@Autowired ReflectorConnectionDetails details) {
		ApiServer described = Objects.requireNonNull(details.getApiServer());
		assertThat(described.url()).isEqualTo(this.server.url()).hasScheme("https");
		assertThat(described.ssl().bundle()).isNotNull();
		assertThat(described).asString().endsWith("(embedded for this test)");
	}

	// twice: the first time leaves the server with an untrusted certificate
	@RepeatedTest(2)
	void theCertificateOfTheServerIsVerified() {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "seen"), "spec", Map.of("size", 1)));
		this.probe.awaitCaughtUp();
		assertThat(this.widgets.get("default", "seen")).isNotNull();
		this.server.useCertificate(CertificateAuthority.create().forServer());
		this.server.stop();
		this.server.clearRequests();
		this.server.start();
		this.reflector.relist();
		this.probe.awaitState(this.reflector, ReflectorState.BACKING_OFF);
		assertThat(this.server.requests()).isEmpty();
	}

}
