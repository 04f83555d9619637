package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.internal.pem.ShownPath;
import org.jspecify.annotations.Nullable;

/**
 * Reads the token from a file. For example, the kubelet replaces the token of a service
 * account in its file before the token expires.
 */
final class FileTokenSource implements TokenSource {

	private static final int MAX_SIZE = 1024 * 1024;

	private final Path file;

	private final Reloading<String> token;

	FileTokenSource(Path file, LongSupplier nanoTime) {
		this.file = file;
		this.token = new Reloading<>("The token of the token file " + ShownPath.of(file.toString()),
				(reads, previous) -> read(reads), nanoTime);
	}

	private String read(FileReads reads) throws IOException {
		String token = reads.read(this.file).strip();
		if (token.isEmpty() || token.length() > MAX_SIZE) {
			throw new IOException(this.file + (token.isEmpty() ? " is empty" : " is larger than any token"));
		}
		return token;
	}

	@Override
	public String token() {
		try {
			return this.token.get();
		}
		catch (IOException ex) {
			throw new CredentialsException("there is no token: the token file " + ex.getMessage()
					+ "; correct the file or configure another credential", ex);
		}
	}

	@Override
	public boolean renew(@Nullable String rejected) {
		this.token.expire();
		return !token().equals(rejected);
	}

	@Override
	public String toString() {
		boolean found = this.token.last() != null;
		return "token file " + (found ? this.file.toString() : ShownPath.of(this.file.toString()));
	}

}
