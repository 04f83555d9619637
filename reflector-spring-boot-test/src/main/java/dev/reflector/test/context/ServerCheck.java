package dev.reflector.test.context;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import io.netty.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * After a wait has timed out, checks whether the embedded server answers at all. It does
 * not answer if the version of Netty on the class path does not fit the version of
 * Reactor Netty.
 */
final class ServerCheck {

	private static final int TIMEOUT_MILLIS = 5000;

	private static final String CODEC = "netty-codec-http";

	private ServerCheck() {
	}

	/**
	 * Sends a request to the server.
	 * @param url URL of the server; no request is sent to a server with TLS
	 * @return why the server does not answer, or {@code null} if it answers or has TLS
	 */
	static @Nullable String problem(URI url) {
		if (!"http".equals(url.getScheme())) {
			return null;
		}
		try (Socket socket = new Socket(url.getHost(), url.getPort())) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream()
				.write(("GET /version HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			InputStream answer = socket.getInputStream();
			return (answer.read() < 0) ? problem(url, "it closes the connection") : null;
		}
		catch (IOException ex) {
			return problem(url, ex.getMessage());
		}
	}

	private static String problem(URI url, @Nullable String cause) {
		Version codec = Version.identify().get(CODEC);
		return "The embedded server at " + url + " does not answer: " + cause + ". The log may have its failure"
				+ ((codec != null) ? "; it runs on " + CODEC + " " + codec.artifactVersion()
						+ ", which has to be the version of Spring Boot or a newer one" : "");
	}

}
