package dev.reflector;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

import dev.reflector.fixture.SourceTree;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each published artifact has the license.
 */
class LicenseTests {

	@ParameterizedTest
	@ValueSource(strings = { "LICENSE", "NOTICE" })
	void isInEachArtifact(String file) throws IOException {
		String text = Files.readString(SourceTree.ROOT.resolve(file));
		for (Class<?> type : List.of(Reflector.class, EmbeddedApiServer.class)) {
			String artifact = type.getProtectionDomain().getCodeSource().getLocation().toString();
			String root = artifact.endsWith(".jar") ? "jar:" + artifact + "!/" : artifact;
			try (InputStream content = URI.create(root + "META-INF/" + file).toURL().openStream()) {
				assertThat(new String(content.readAllBytes(), StandardCharsets.UTF_8)).as(root).isEqualTo(text);
			}
		}
	}

}
