package dev.reflector.test.context;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerCheck}.
 */
class ServerCheckTests {

	@Test
	void aServerThatAnswersHasNoProblem() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder().type("v1", "Pod", "pods", true).start()) {
			assertThat(ServerCheck.problem(server.url())).isNull();
		}
	}

	@Test
	void aServerThatClosesConnectionsIsNamedInTheReport() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			URI url = URI.create("http://127.0.0.1:" + socket.getLocalPort());
			Thread closing = new Thread(() -> {
				try {
					socket.accept().close();
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
			closing.start();
			assertThat(new FailureReport("Timed out", ServerCheck.problem(url), List.of(), List.of()).toString())
				.startsWith("Timed out.\nThe embedded server at " + url + " does not answer: ")
				.contains("; it runs on netty-codec-http 4.");
		}
	}

	@Test
	void aServerThatIsDownIsNamed() throws IOException {
		try (Socket unused = new Socket()) {
			// bound, so that the port is not reused, but not listening
			unused.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			assertThat(ServerCheck.problem(URI.create("http://127.0.0.1:" + unused.getLocalPort())))
				.contains("Connection refused");
		}
	}

	@Test
	void aServerWithTlsIsNotAsked() {
		assertThat(ServerCheck.problem(URI.create("https://127.0.0.1:1"))).isNull();
	}

}
