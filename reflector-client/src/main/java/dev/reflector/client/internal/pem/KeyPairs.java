package dev.reflector.client.internal.pem;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

import org.jspecify.annotations.Nullable;

/**
 * Tells whether two keys belong together.
 */
final class KeyPairs {

	private static final byte[] TEXT = { 1, 2, 3, 4 };

	private KeyPairs() {
	}

	/**
	 * Checks it by signing something.
	 * @param publicKey the key of the certificate
	 * @param privateKey the other key
	 * @return whether they belong together, as far as can be told
	 */
	static boolean match(PublicKey publicKey, @Nullable PrivateKey privateKey) {
		if (privateKey == null || !publicKey.getAlgorithm().equals(privateKey.getAlgorithm())) {
			return false;
		}
		try {
			Signature signature = Signature.getInstance(algorithm(publicKey));
			signature.initSign(privateKey);
			signature.update(TEXT);
			byte[] signed = signature.sign();
			signature.initVerify(publicKey);
			signature.update(TEXT);
			return isValid(signature, signed);
		}
		catch (GeneralSecurityException ex) {
			// a kind of key that this JVM does not know: the server will tell
			return true;
		}
	}

	private static boolean isValid(Signature signature, byte[] signed) {
		try {
			return signature.verify(signed);
		}
		catch (SignatureException ex) {
			// it does not even have the right length
			return false;
		}
	}

	private static String algorithm(PublicKey key) {
		return switch (key.getAlgorithm()) {
			case "RSA" -> "SHA256withRSA";
			case "EC" -> "SHA256withECDSA";
			default -> key.getAlgorithm();
		};
	}

}
