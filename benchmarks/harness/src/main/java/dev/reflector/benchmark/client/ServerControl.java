package dev.reflector.benchmark.client;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Controls the load server. It uses plain sockets, to keep the HTTP client of the tested
 * client cold.
 */
final class ServerControl {

	private final URI server;

	ServerControl(URI server) {
		this.server = server;
	}

	Map<String, String> call(String pathAndQuery) {
		try (Socket socket = new Socket(this.server.getHost(), this.server.getPort())) {
			socket.getOutputStream()
				.write(("GET /control/" + pathAndQuery + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			socket.shutdownOutput();
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			Map<String, String> values = new HashMap<>();
			for (String line : answer.substring(answer.indexOf("\r\n\r\n") + 4).split("\n")) {
				int equals = line.indexOf('=');
				values.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
			}
			return values;
		}
		catch (IOException ex) {
			throw new IllegalStateException("the load server does not answer", ex);
		}
	}

	String report(String name) {
		return call("report").getOrDefault(name, "");
	}

}
