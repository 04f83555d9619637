package dev.reflector.client.internal.pem;

import org.jspecify.annotations.Nullable;

/**
 * The PEM text of certificates and keys for connections. Its {@code toString()} does not
 * show the text.
 *
 * @param authority certificates to trust, or {@code null} for the authorities of the JVM
 * @param certificate own certificate chain, or {@code null} for none
 * @param key key of the own certificate, or {@code null} for none
 * @param insecure whether to trust every server
 */
public record PemMaterial(@Nullable String authority, @Nullable String certificate, @Nullable String key,
		boolean insecure) {

	/** No PEM text: the defaults of the JVM. */
	public static final PemMaterial NONE = new PemMaterial(null, null, null, false);

	public PemMaterial withOwn(@Nullable String certificate, @Nullable String key) {
		return new PemMaterial(this.authority, certificate, key, this.insecure);
	}

	public boolean isEmpty() {
		return this.authority == null && this.certificate == null && !this.insecure;
	}

	@Override
	public String toString() {
		return "PEM material";
	}

}
