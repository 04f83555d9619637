package dev.reflector.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/** Placeholder. */
public final class Kubeconfig {

	private Kubeconfig() {
	}

	public static ApiServer load(Path file, @Nullable String context) {
		try {
			String server = Files.readAllLines(file)
				.stream()
				.map(String::strip)
				.filter((line) -> line.startsWith("server:"))
				.findFirst()
				.orElseThrow(() -> new KubeconfigException(file + " names no server"));
			return new ApiServer(URI.create(server.substring(7).strip()), null, TokenSource.none(), file.toString());
		}
		catch (IOException ex) {
			throw new KubeconfigException(file + " cannot be read");
		}
	}

}
