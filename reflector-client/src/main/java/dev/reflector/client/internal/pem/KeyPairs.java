package dev.reflector.client.internal.pem;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

import org.jspecify.annotations.Nullable;

/**
 * Checks whether two keys belong together.
 */
public final class KeyPairs {

	private static final byte[] TEXT = { 1, 2, 3, 4 };

	private KeyPairs() {
	}

	/**
	 * Returns whether two keys belong together. Checks this by signing a text.
	 * @param publicKey the public key of the certificate
	 * @param privateKey the private key
	 * @return {@code true} if they belong together, or if the algorithm is unknown
	 */
	public static boolean match(PublicKey publicKey, @Nullable PrivateKey privateKey) {
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
			// the JVM does not support the algorithm, so only the server checks the key
			return true;
		}
	}

	private static boolean isValid(Signature signature, byte[] signed) {
		try {
			return signature.verify(signed);
		}
		catch (SignatureException ex) {
			// thrown if the signature has the wrong length
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
