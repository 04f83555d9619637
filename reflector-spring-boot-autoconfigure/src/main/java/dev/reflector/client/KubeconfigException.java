package dev.reflector.client;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig cannot be used. The message says what is wrong, where, and what to do; it
 * never holds a secret.
 */
public class KubeconfigException extends RuntimeException {

	private final Path file;

	KubeconfigException(Path file, String problem, @Nullable Throwable cause) {
		super("The kubeconfig " + file + " cannot be used: " + problem, cause);
		this.file = file;
	}

	/**
	 * The file.
	 * @return the file
	 */
	public Path file() {
		return this.file;
	}

}
