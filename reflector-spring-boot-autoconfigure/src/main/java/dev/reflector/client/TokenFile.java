package dev.reflector.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A token in a file that someone else renews.
 */
final class TokenFile implements TokenSource {

	private static final Logger logger = LoggerFactory.getLogger(TokenFile.class);

	private static final long MAX_AGE = Duration.ofMinutes(1).toNanos();

	private final Path file;

	private @Nullable String token;

	private @Nullable FileTime modified;

	private long readAt;

	private boolean complained;

	TokenFile(Path file) {
		this.file = file;
	}

	@Override
	public synchronized @Nullable String token() {
		try {
			FileTime modified = Files.getLastModifiedTime(this.file);
			if (this.token == null || !modified.equals(this.modified) || System.nanoTime() - this.readAt > MAX_AGE) {
				String read = Files.readString(this.file).strip();
				this.token = read.isEmpty() ? this.token : read;
				this.modified = modified;
				this.readAt = System.nanoTime();
				this.complained = false;
			}
		}
		catch (IOException ex) {
			if (!this.complained) {
				this.complained = true;
				logger.warn("Cannot read the token file {} ({}): {}", this.file, ex.getClass().getSimpleName(),
						(this.token != null) ? "the last token stays in use" : "requests are sent without a token");
			}
		}
		return this.token;
	}

	@Override
	public String toString() {
		return "token file " + this.file;
	}

}
