package dev.reflector.autoconfigure.internal.connection;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.internal.pem.KeyPairs;
import dev.reflector.client.internal.pem.ShownPath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * The latest usable version of an SSL bundle of the application. An update that cannot be
 * used, for example because its file is only half written, is ignored.
 */
final class ReloadedSslBundle implements SslSource {

	private static final Logger logger = LoggerFactory.getLogger(ReloadedSslBundle.class);

	private static final Pattern LONG_TEXT = Pattern.compile("[A-Za-z0-9+/=]{100,}");

	private static final Pattern QUOTED = Pattern.compile("'([^']*)'");

	private final String name;

	private SslBundle used;

	private @Nullable SslBundle update;

	private boolean told;

	/**
	 * Gets the bundle, and registers for its updates.
	 * @param name name of the bundle
	 * @param bundles the bundles of the application
	 * @throws org.springframework.boot.ssl.NoSuchSslBundleException if there is no bundle
	 * of that name
	 * @throws IllegalStateException if the bundle cannot be used
	 */
	ReloadedSslBundle(String name, SslBundles bundles) {
		this.name = name;
		this.used = bundles.getBundle(name);
		require(this.used);
		bundles.addBundleUpdateHandler(name, this::updated);
	}

	/** Makes Spring Boot read the files of the bundle now instead of later. */
	private static void require(SslBundle bundle) {
		bundle.getManagers().getKeyManagers();
		bundle.getManagers().getTrustManagers();
	}

	/**
	 * Refuses an update whose key does not match its certificate, as can happen while the
	 * files of the key and the certificate are being replaced. Checks only bundles with
	 * one key.
	 */
	private static void requireMatchingKey(SslBundle bundle) {
		KeyStore store = bundle.getStores().getKeyStore();
		String password = (bundle.getKey().getPassword() != null) ? bundle.getKey().getPassword()
				: bundle.getStores().getKeyStorePassword();
		try {
			if (store == null || store.size() != 1) {
				return;
			}
			String alias = store.aliases().nextElement();
			if (store.getKey(alias, (password != null) ? password.toCharArray() : null) instanceof PrivateKey key
					&& !KeyPairs.match(store.getCertificate(alias).getPublicKey(), key)) {
				throw new IllegalStateException("the private key is not that of the certificate");
			}
		}
		catch (GeneralSecurityException ex) {
			// the key cannot be read here, so only the server checks it
			logger.debug("The key of an SSL bundle is not checked", ex);
		}
	}

	private synchronized void updated(SslBundle bundle) {
		this.update = bundle;
		this.told = false;
		bundle();
	}

	@Override
	public synchronized SslBundle bundle() {
		SslBundle update = this.update;
		if (update != null) {
			try {
				require(update);
				requireMatchingKey(update);
				this.used = update;
				this.update = null;
			}
			catch (RuntimeException ex) {
				complain(ex);
			}
		}
		return this.used;
	}

	private void complain(RuntimeException reason) {
		if (this.told) {
			logger.debug("The update of the SSL bundle '{}' still cannot be used: {}", this.name, reason(reason));
			return;
		}
		this.told = true;
		logger.warn("The update of the SSL bundle '{}' cannot be used. The previous bundle stays in use, and "
				+ "the next requests try the update once more: {}", this.name, reason(reason));
	}

	/**
	 * Explains why a bundle cannot be used.
	 * @param failure the failure
	 * @return messages of the failure, which name files but do not show their content,
	 * also if the content was set in place of the name
	 */
	static String reason(Throwable failure) {
		StringBuilder reason = new StringBuilder();
		for (Throwable cause = failure; cause != null && reason.length() < 1000; cause = cause.getCause()) {
			String message = (cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName();
			String shown = QUOTED.matcher(message)
				.replaceAll((quoted) -> Matcher.quoteReplacement("'" + ShownPath.of(quoted.group(1)) + "'"));
			if (reason.indexOf(shown) < 0) {
				reason.append((reason.length() > 0) ? ": " : "").append(shown);
			}
			if (shown.contains(ShownPath.HIDDEN)) {
				// the causes quote the same text in other forms
				break;
			}
		}
		return LONG_TEXT.matcher(reason).replaceAll("...");
	}

	@Override
	public String toString() {
		return "SSL bundle '" + this.name + "'";
	}

}
