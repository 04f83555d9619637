package dev.reflector.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Self-signed certificates, made by the keytool of the running JDK.
 */
final class Certificates {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private final KeyStore store;

	private Certificates(KeyStore store) {
		this.store = store;
	}

	static Certificates generate(Path folder, String name, String algorithm, String... options) throws Exception {
		Path file = folder.resolve(name + ".p12");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						"it", "-keyalg", algorithm, "-dname", "CN=" + name, "-validity", "2", "-storetype", "PKCS12",
						"-keystore", file.toString(), "-storepass", new String(PASSWORD)));
		if (!List.of(options).contains("-ext")) {
			command.addAll(List.of("-ext", "san=ip:127.0.0.1"));
		}
		command.addAll(algorithm.equals("EC") ? List.of("-groupname", "secp256r1") : List.of("-keysize", "2048"));
		// it lives for a moment
		command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
		command.addAll(List.of(options));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		if (process.waitFor() != 0) {
			throw new IllegalStateException(output);
		}
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, PASSWORD);
		}
		return new Certificates(store);
	}

	String certificate() throws GeneralSecurityException {
		return pem("CERTIFICATE", this.store.getCertificate("it").getEncoded());
	}

	String key() throws GeneralSecurityException {
		return pem("PRIVATE KEY", pkcs8().getEncoded());
	}

	/**
	 * The key of an RSA certificate in the form that {@code openssl genrsa} writes.
	 */
	String pkcs1Key() throws GeneralSecurityException {
		byte[] encoded = pkcs8().getEncoded();
		for (int i = 1; i < 40; i++) {
			// what comes behind the algorithm is an octet string with the older form in
			// it
			if (encoded[i] == 0x04 && encoded[i + 1] == (byte) 0x82 && encoded[i + 4] == 0x30) {
				return pem("RSA PRIVATE KEY", Arrays.copyOfRange(encoded, i + 4, encoded.length));
			}
		}
		throw new IllegalStateException("no RSA key");
	}

	/**
	 * The key of an EC certificate on P-256 in the form that {@code openssl ecparam}
	 * writes.
	 */
	String sec1Key() throws GeneralSecurityException {
		byte[] number = ((ECPrivateKey) pkcs8()).getS().toByteArray();
		byte[] encoded = new byte[51];
		// a sequence of the version, the number, and the curve
		byte[] start = { 0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20 };
		byte[] curve = { (byte) 0xa0, 0x0a, 0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x03, 0x01, 0x07 };
		System.arraycopy(start, 0, encoded, 0, start.length);
		int length = Math.min(number.length, 32);
		System.arraycopy(number, number.length - length, encoded, start.length + 32 - length, length);
		System.arraycopy(curve, 0, encoded, start.length + 32, curve.length);
		return pem("EC PRIVATE KEY", encoded);
	}

	private Key pkcs8() throws GeneralSecurityException {
		return this.store.getKey("it", PASSWORD);
	}

	/**
	 * Server sockets with this certificate that ask for that of a client.
	 */
	ServerSocketFactory serverSockets(Certificates client) throws GeneralSecurityException, IOException {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(this.store, PASSWORD);
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("client", client.store.getCertificate("it"));
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
		return new ClientAuthFactory(context.getServerSocketFactory());
	}

	private static String pem(String type, byte[] bytes) {
		return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + type
				+ "-----\n";
	}

	private static final class ClientAuthFactory extends ServerSocketFactory {

		private final SSLServerSocketFactory delegate;

		ClientAuthFactory(SSLServerSocketFactory delegate) {
			this.delegate = delegate;
		}

		@Override
		public SSLServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
			SSLServerSocket socket = (SSLServerSocket) this.delegate.createServerSocket(port, backlog, address);
			socket.setNeedClientAuth(true);
			return socket;
		}

		@Override
		public SSLServerSocket createServerSocket(int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SSLServerSocket createServerSocket(int port, int backlog) {
			throw new UnsupportedOperationException();
		}

	}

}
