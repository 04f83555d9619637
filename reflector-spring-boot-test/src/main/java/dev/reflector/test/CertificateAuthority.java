package dev.reflector.test;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.test.internal.access.Der;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority for tests. It signs client certificates and server
 * certificates; a running {@link EmbeddedApiServer} can switch to a new server
 * certificate. The keys are elliptic-curve keys (P-256) and are kept only in memory.
 * Certificates are valid for a year. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CertificateAuthority {

	private static final Duration VALID = Duration.ofDays(365);

	/**
	 * Each certificate becomes valid this long before its creation, because the clocks of
	 * other machines may be a little behind.
	 */
	private static final Duration TOLERANCE = Duration.ofHours(1);

	private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));

	private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

	private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

	private static final SecureRandom RANDOM = new SecureRandom();

	private final KeyPair keys;

	private final byte[] name;

	private final String certificate;

	private final Instant end;

	private CertificateAuthority() {
		this(null, Instant.now().plus(VALID));
	}

	private CertificateAuthority(@Nullable CertificateAuthority same, Instant end) {
		this.end = end;
		this.keys = (same != null) ? same.keys : newKeys();
		this.name = (same != null) ? same.name : commonName("embedded-api-server-ca-" + serial().toString(36));
		this.certificate = (same != null) ? same.certificate : own();
	}

	private String own() {
		return pem("CERTIFICATE", sign(this.name, this.keys.getPublic(),
				// two critical extensions: the certificate is that of an authority, and
				// its key may sign certificates
				extension("2.5.29.19", true, Der.sequence(Der.yes())),
				extension("2.5.29.15", true, Der.bits(2, (byte) 4)),
				extension("2.5.29.14", false, Der.octets(keyId(this.keys.getPublic())))));
	}

	/**
	 * Creates an authority with a new key.
	 * @return the authority
	 */
	public static CertificateAuthority create() {
		return new CertificateAuthority();
	}

	/**
	 * Returns an authority whose certificates expire at the given time.
	 * @param end when the certificates expire; may be in the past
	 * @return an authority with the same key and certificate
	 */
	public CertificateAuthority validUntil(Instant end) {
		return new CertificateAuthority(this, end);
	}

	/**
	 * Returns the certificate of this authority, which clients must trust.
	 * @return one certificate as PEM text
	 */
	public String certificate() {
		return this.certificate;
	}

	/**
	 * Makes a certificate for a server on the loopback interface: for {@code localhost},
	 * {@code 127.0.0.1} and {@code ::1}.
	 * @param hosts further names and addresses for which the certificate is valid
	 * @return the certificate, followed by the certificate of this authority, and the key
	 */
	public PemCertificate forServer(String... hosts) {
		return forHosts(
				Stream.concat(Stream.of("localhost", "127.0.0.1", "::1"), Stream.of(hosts)).toArray(String[]::new));
	}

	/**
	 * Makes a certificate for a server on the given hosts only. If a server on the
	 * loopback interface uses this certificate, clients must refuse it.
	 * @param hosts the names and addresses for which the certificate is valid
	 * @return the certificate, followed by the certificate of this authority, and the key
	 */
	public PemCertificate forHosts(String... hosts) {
		byte[][] names = Stream.of(hosts).map(CertificateAuthority::alternativeName).toArray(byte[][]::new);
		return issue("embedded-api-server", SERVER_AUTH, extension("2.5.29.17", false, Der.sequence(names)));
	}

	/**
	 * Makes a certificate for a client.
	 * @param user the name of the client
	 * @return the certificate, followed by the certificate of this authority, and the key
	 */
	public PemCertificate forClient(String user) {
		return issue(user, CLIENT_AUTH);
	}

	private PemCertificate issue(String subject, String usage, byte[]... more) {
		KeyPair pair = newKeys();
		List<byte[]> common = List.of(extension("2.5.29.15", true, Der.bits(7, (byte) 0x80)),
				extension("2.5.29.37", false, Der.sequence(Der.oid(usage))),
				extension("2.5.29.35", false, Der.sequence(Der.tagged(0x80, keyId(this.keys.getPublic())))));
		byte[][] extensions = Stream.concat(common.stream(), Stream.of(more)).toArray(byte[][]::new);
		byte[] signed = sign(commonName(subject), pair.getPublic(), extensions);
		return new PemCertificate(pem("CERTIFICATE", signed) + this.certificate,
				pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
	}

	private byte[] sign(byte[] subject, PublicKey key, byte[]... extensions) {
		Instant now = Instant.now();
		Instant begin = (this.end.isBefore(now) ? this.end : now).minus(TOLERANCE);
		byte[] content = Der.sequence(Der.tagged(0xa0, Der.integer(BigInteger.TWO)), Der.integer(serial()),
				ECDSA_WITH_SHA256, this.name, Der.sequence(Der.time(begin), Der.time(this.end)), subject,
				key.getEncoded(), Der.tagged(0xa3, Der.sequence(extensions)));
		try {
			Signature signature = Signature.getInstance("SHA256withECDSA");
			signature.initSign(this.keys.getPrivate());
			signature.update(content);
			return Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] extension(String oid, boolean critical, byte[] value) {
		return critical ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value))
				: Der.sequence(Der.oid(oid), Der.octets(value));
	}

	private static byte[] commonName(String name) {
		return Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.text(name))));
	}

	private static byte[] alternativeName(String host) {
		try {
			// only addresses are parsed here, so that no name is looked up
			return host.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
					? Der.tagged(0x87, InetAddress.getByName(host).getAddress())
					: Der.tagged(0x82, host.getBytes(StandardCharsets.US_ASCII));
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException("'" + host + "' is no address", ex);
		}
	}

	private static KeyPair newKeys() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
			generator.initialize(new ECGenParameterSpec("secp256r1"));
			return generator.generateKeyPair();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] keyId(PublicKey key) {
		try {
			return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static BigInteger serial() {
		// the serial number is positive, and never zero
		return new BigInteger(63, RANDOM).setBit(63);
	}

	private static String pem(String label, byte[] content) {
		return "-----BEGIN " + label + "-----\n"
				+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content) + "\n-----END " + label
				+ "-----\n";
	}

}
