package dev.reflector.client.credentials;

import java.io.IOException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * One context of a kubeconfig, as it is at the moment: the kubeconfig and the files it
 * names are read again when they change. Gives the token where it stands in the
 * kubeconfig itself.
 */
final class KubeconfigContexts implements TokenSource {

	private final Reloading<KubeconfigContext> context;

	/**
	 * Reads it for the first time.
	 * @param files reads the kubeconfig
	 * @param context name of the context, or {@code null} for the current one
	 * @throws KubeconfigException when it cannot be used
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
			throw new IllegalStateException("the files of a kubeconfig fail otherwise", ex);
		}
	}

	/** Has the files read the next time, whatever they look like. */
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
		return "token of " + current();
	}

}
