package dev.reflector.client.credentials;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.reflector.client.fixture.Certificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InClusterConfig}.
 */
class InClusterConfigTests {

	private static final Map<String, String> ENVIRONMENT = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1",
			"KUBERNETES_SERVICE_PORT", "443");

	@TempDir
	private Path folder;

	@Test
	void isNotInAClusterWithoutEnvironmentOrToken() throws IOException {
		assertThat(InClusterConfig.detect(ENVIRONMENT, this.folder)).isEmpty();
		Files.writeString(this.folder.resolve("token"), "s3cret");
		assertThat(InClusterConfig.detect(Map.of(), this.folder)).isEmpty();
		assertThat(InClusterConfig.detect(Map.of("KUBERNETES_SERVICE_HOST", "h"), this.folder)).isEmpty();
	}

	@Test
	void usesTheServiceAccount() throws Exception {
		Files.writeString(this.folder.resolve("token"), "s3cret\n");
		Files.writeString(this.folder.resolve("ca.crt"), Certificates.generate("ca", "EC").certificate());
		ApiServer server = InClusterConfig.detect(ENVIRONMENT, this.folder).orElseThrow();
		assertThat(server.url()).isEqualTo(URI.create("https://10.0.0.1:443"));
		assertThat(server.token().token()).isEqualTo("s3cret");
		assertThat(server.ssl().bundle().getStores().getTrustStore().size()).isOne();
		assertThat(server.toString()).doesNotContain("s3cret");
	}

	@Test
	void putsAnIpv6AddressInBrackets() throws IOException {
		Files.writeString(this.folder.resolve("token"), "t");
		assertThat(InClusterConfig
			.detect(Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443"), this.folder)
			.orElseThrow()
			.url()).isEqualTo(URI.create("https://[fd00::1]:443"));
	}

	@Test
	void refusesAnUnusableAuthority() throws IOException {
		Files.writeString(this.folder.resolve("token"), "t");
		Files.writeString(this.folder.resolve("ca.crt"), "no PEM");
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> InClusterConfig.detect(ENVIRONMENT, this.folder))
			.withMessageContaining("ca.crt");
	}

}
