package dev.reflector.integration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;

import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;

import static org.awaitility.Awaitility.await;

/**
 * Faults of the connection to the server, and of credentials.
 */
final class ConnectionProvocations {

	private ConnectionProvocations() {
	}

	static void addTo(Map<String, FaultProvocation> provocations) {
		provocations.put("the server is down", (stage) -> {
			stage.startInStep();
			stage.server.stop();
		});
		provocations.put("nothing answers at the address", ConnectionProvocations::nothingAnswers);
		provocations.put("the proxy of the kubeconfig is down", ConnectionProvocations::proxyIsDown);
		provocations.put("the certificate of the server is from an unknown authority", (stage) -> {
			stage.serve(EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).tls().start());
			stage.start();
		});
		provocations.put("the server closes a kept connection while a request is on its way", (stage) -> {
			// after a failure, it would not be back in time
			stage.startInStep("reflector.backoff.initial=1h", "reflector.backoff.max=1h");
			// the connection of the first list is kept
			stage.server.fail(RecordedRequest::isList, 1, Fault.disconnect());
			stage.application.reflector.relist();
		});
		provocations.put("the connection is half-open", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, 1, Fault.silence().atEvent(1));
			stage.startInStep("reflector.api-server.idle-timeout=2s");
			// the next watch delivers what the silent one has not
			stage.create("b");
			stage.application.awaitEqualTo(stage.widgets());
		});
		provocations.put("the token is not accepted", (stage) -> {
			stage.server.acceptTokens("right");
			stage.start("reflector.api-server.token=wrong", "reflector.backoff.max=1s");
		});
		provocations.put("the credential plugin fails", ConnectionProvocations::pluginFails);
		provocations.put("the credential plugin hangs", ConnectionProvocations::pluginHangs);
		provocations.put("the token file is empty",
				(stage) -> stage.start(
						"reflector.api-server.token-file=" + Files.createFile(stage.folder.resolve("empty")),
						"reflector.backoff.max=1s"));
		provocations.put("the server does not speak TLS",
				(stage) -> stage.startAt("https://127.0.0.1:" + stage.server.port(), "reflector.backoff.max=1s"));
		provocations.put("the server does not continue with TLS", (stage) -> {
			ServerSocket silent = stage.using(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
			stage.startAt("https://127.0.0.1:" + silent.getLocalPort(), "reflector.backoff.max=1s");
			// Netty waits for ten seconds
			await().atMost(Duration.ofMinutes(1)).until(() -> stage.application.reflector.status().lastError() != null);
		});
	}

	/** A port whose queue of connections is full takes no more. */
	private static void nothingAnswers(FaultStage stage) throws IOException {
		ServerSocket full = stage.using(new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")));
		for (int i = 0; i < 8; i++) {
			Socket waiting = stage.using(new Socket());
			try {
				waiting.connect(full.getLocalSocketAddress(), 1000);
			}
			catch (IOException ex) {
				// the queue is full
				break;
			}
		}
		stage.startAt("http://127.0.0.1:" + full.getLocalPort(), "reflector.api-server.connect-timeout=500ms");
	}

	private static void proxyIsDown(FaultStage stage) throws IOException {
		// bound, so that no other program takes it, but not listening
		Socket unused = stage.using(new Socket());
		unused.bind(new InetSocketAddress("127.0.0.1", 0));
		String proxy = ", proxy-url: \"http://127.0.0.1:" + unused.getLocalPort() + "\"";
		CertificateAuthority authority = CertificateAuthority.create();
		stage.startWithout("reflector.api-server.kubeconfig=" + KubeconfigFile.trusting(authority.certificate(), "{}")
			.with(proxy)
			.write(stage.folder, stage.server.url()));
	}

	private static void pluginHangs(FaultStage stage) throws IOException {
		stage.serve(EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).tls().start());
		PluginScript plugin = new PluginScript(stage.folder);
		plugin.hang();
		stage.startWithout("reflector.api-server.kubeconfig=" + plugin.kubeconfig(stage.server));
	}

	private static void pluginFails(FaultStage stage) throws IOException {
		stage.serve(EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).tls().start());
		// without an answer to print, the script ends with an exit code
		PluginScript plugin = new PluginScript(stage.folder);
		stage.startWithout("reflector.api-server.kubeconfig=" + plugin.kubeconfig(stage.server),
				"reflector.backoff.max=" + Duration.ofSeconds(1).toSeconds() + "s");
	}

}
