package dev.reflector.client.credentials;

import java.util.function.Supplier;

import dev.reflector.client.internal.pem.PemBundles;
import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;

/**
 * Provides the trusted authorities and the client certificate from PEM text that may
 * change. Logs one warning if the certificate of the server is not verified.
 */
final class PemSslSource implements SslSource {

	private static final Logger logger = LoggerFactory.getLogger(PemSslSource.class);

	private final Supplier<String> description;

	private final Supplier<PemMaterial> material;

	private final Runnable expire;

	private final @Nullable PemSslSource trust;

	private PemMaterial used = PemMaterial.NONE;

	private @Nullable SslBundle bundle;

	private boolean warned;

	/**
	 * Creates a source without a client certificate.
	 * @param description where the text comes from, for messages; must not read files,
	 * because messages are made on network threads
	 * @param material returns the current text
	 * @param expire makes the next call read the text again
	 */
	PemSslSource(Supplier<String> description, Supplier<PemMaterial> material, Runnable expire) {
		this(description, material, expire, null);
	}

	/**
	 * Creates the source.
	 * @param description where the text comes from, for messages
	 * @param material returns the current text
	 * @param expire makes the next call read the text again
	 * @param trust the source of the same authorities without a client certificate, or
	 * {@code null} if this source has none
	 */
	PemSslSource(Supplier<String> description, Supplier<PemMaterial> material, Runnable expire,
			@Nullable PemSslSource trust) {
		this.description = description;
		this.material = material;
		this.expire = expire;
		this.trust = trust;
	}

	PemSslSource withoutClientCertificate() {
		return (this.trust != null) ? this.trust : this;
	}

	@Override
	public synchronized @Nullable SslBundle bundle() {
		PemMaterial material = this.material.get();
		if (!material.equals(this.used)) {
			warnIfInsecure(material);
			this.bundle = PemBundles.of(material);
			this.used = material;
		}
		return this.bundle;
	}

	private void warnIfInsecure(PemMaterial material) {
		if (material.insecure() && !this.warned) {
			this.warned = true;
			logger.warn("The certificate of the API server is not verified ({}), so others on the network can "
					+ "read and change requests and responses. Set certificate-authority to the authority that "
					+ "issued it", this);
		}
	}

	@Override
	public boolean renew(@Nullable SslBundle rejected) {
		this.expire.run();
		return bundle() != rejected;
	}

	@Override
	public String toString() {
		return this.description.get();
	}

}
