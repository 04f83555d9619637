package com.example;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The quick start over TLS, with nothing but what the starter brings.
 */
@Timeout(360)
class TlsTests {

	/** HTTP/2 takes all that HTTP/1.1 takes, and more. */
	@Test
	void theStarterBringsWhatItTakes(@TempDir Path folder) throws Exception {
		String classPath = Stream
			.concat(Stream.of(RuntimeClassPath.application()), RuntimeClassPath.dependencies().stream())
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
		assertThat(classPath).contains("reactor-netty-http").doesNotContain("netty-codec-native-quic");
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.http2(true)
			.start()) {
			Path authority = Files.writeString(folder.resolve("ca.pem"), server.caCertificate());
			ResourceCollection widgets = server.resources("widgets");
			widgets.create(Map.of("metadata", Map.of("name", "widget-1"), "spec", Map.of("size", 17)));
			try (DemoProcess process = DemoProcess.start(classPath, List.of("-Dspring.main.banner-mode=off"), server,
					"--spring.ssl.bundle.pem.server.truststore.certificate=file:" + authority,
					"--reflector.api-server.ssl-bundle=server", "--reflector.api-server.http-version=http-2")) {
				process.awaitLine("ResourceAddedEvent[widgets default/widget-1 @ 2] has size 17");
				widgets.mergePatch("default", "widget-1", Map.of("spec", Map.of("size", 204)));
				process.awaitLine("ResourceUpdatedEvent[widgets default/widget-1 @ 3] has size 204");
				// what Netty says on a machine without a network is nothing of ours
				assertThat(process.stop()).filteredOn((line) -> !line.contains("MacAddressUtil"))
					.noneMatch(
							(line) -> line.contains("Exception") || line.contains("Error") || line.contains(" WARN "));
			}
		}
	}

}
