package dev.reflector.client.credentials;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the content of one context of a kubeconfig up to date. The kubeconfig and the
 * files that it names are read again when they have changed. This class is also the token
 * source if the kubeconfig itself contains the token.
 */
final class KubeconfigContexts implements TokenSource {

	private final Reloading<KubeconfigContext> context;

	/**
	 * Reads the context for the first time.
	 * @param files reads the kubeconfig
	 * @param context name of the context, or {@code null} for the current context
	 * @throws KubeconfigException if the context cannot be used
	 */
	KubeconfigContexts(Function<FileReads, KubeconfigFiles> files, @Nullable String context) {
		this.context = new Reloading<>("The kubeconfig", (reads, previous) -> {
			KubeconfigFiles read = files.apply(reads);
			return (previous != null) ? previous.again(read) : KubeconfigContext.first(read, context);
		}, System::nanoTime);
		current();
	}

	KubeconfigContext current() {
		try {
			return this.context.get();
		}
		catch (IOException ex) {
			throw new IllegalStateException("reading a kubeconfig throws other exceptions", ex);
		}
	}

	/**
	 * Returns the context as it was last read, for messages. Reads no files, so it may be
	 * called on any thread.
	 */
	KubeconfigContext last() {
		return Objects.requireNonNull(this.context.last());
	}

	/** Makes the next use of the context read the files, even if they look unchanged. */
	void expire() {
		this.context.expire();
	}

	@Override
	public @Nullable String token() {
		return current().token();
	}

	@Override
	public boolean renew(@Nullable String rejected) {
		expire();
		String token = token();
		return token != null && !token.equals(rejected);
	}

	@Override
	public String toString() {
		return "token of " + last();
	}

}
