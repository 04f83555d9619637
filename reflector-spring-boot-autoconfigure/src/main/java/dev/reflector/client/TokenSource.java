package dev.reflector.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/** Placeholder. */
public interface TokenSource {

	@Nullable String token();

	static TokenSource none() {
		return () -> null;
	}

	static TokenSource of(String token) {
		return () -> token;
	}

	static TokenSource file(Path file) {
		return () -> {
			try {
				return Files.readString(file).strip();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		};
	}

}
