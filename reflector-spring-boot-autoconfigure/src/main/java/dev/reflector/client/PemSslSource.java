package dev.reflector.client;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Trust and client certificate made of PEM text that may change.
 */
final class PemSslSource implements SslSource {

	private final Supplier<PemMaterial> material;

	private PemMaterial used = PemMaterial.NONE;

	private @Nullable SslBundle bundle;

	PemSslSource(Supplier<PemMaterial> material) {
		this.material = material;
	}

	@Override
	public synchronized @Nullable SslBundle bundle() {
		PemMaterial material = this.material.get();
		if (!material.equals(this.used)) {
			this.bundle = PemBundles.of(material);
			this.used = material;
		}
		return this.bundle;
	}

}
