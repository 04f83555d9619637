package dev.reflector.integration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.test.PemCertificate;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;

import static org.awaitility.Awaitility.await;

/**
 * The places that trust and client certificate of a test can come from.
 */
enum CertificateSources {

	/** A kubeconfig that names files. */
	FILES {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			replace(folder.resolve("ca.crt"), authority);
			replace(folder.resolve("client.crt"), client.certificate());
			replace(folder.resolve("client.key"), client.key());
			kubeconfigOnce(folder, url, "certificate-authority: ca.crt",
					"{client-certificate: client.crt, client-key: client.key}");
		}
	},

	/** Like {@link #FILES}, with the JDK's HTTP client. */
	FILES_WITH_THE_CLIENT_OF_THE_JDK {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			FILES.write(folder, url, authority, client);
		}

		@Override
		List<String> properties(Path folder, URI url) {
			List<String> properties = new ArrayList<>(FILES.properties(folder, url));
			properties.add("spring.http.clients.reactive.connector=jdk");
			return properties;
		}
	},

	/** A kubeconfig that holds everything itself. */
	DATA {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			replace(folder.resolve("kubeconfig"),
					KubeconfigFile.trusting(authority, KubeconfigFile.user(client, "")).text(url));
		}
	},

	/** Files that are links into a folder that is swapped, like those of the kubelet. */
	PROJECTED_VOLUME {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			project(folder,
					Map.of("ca.crt", authority, "client.crt", client.certificate(), "client.key", client.key()));
			kubeconfigOnce(folder, url, "certificate-authority: ca.crt",
					"{client-certificate: client.crt, client-key: client.key}");
		}
	},

	/** The service account of a pod, which has no client certificate. */
	SERVICE_ACCOUNT {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			project(folder, Map.of("ca.crt", authority, "token", "t0ken", "namespace", "team-a"));
		}

		@Override
		MirrorApplication start(Path folder, URI url, String... properties) {
			Map<String, String> environment = Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT",
					String.valueOf(url.getPort()));
			return MirrorApplication.start(() -> InClusterConfig.detect(environment, folder).orElseThrow(), properties);
		}

		@Override
		boolean hasClientCertificate() {
			return false;
		}
	},

	/** A credential plugin, and a file with the authority. */
	PLUGIN {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			replace(folder.resolve("ca.crt"), authority);
			try {
				new PluginScript(folder).answer(client);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			kubeconfigOnce(folder, url, "certificate-authority: ca.crt",
					"{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}}");
		}
	},

	/** An SSL bundle that is loaded again when its files change. */
	BUNDLE {
		@Override
		void write(Path folder, URI url, String authority, PemCertificate client) {
			replace(folder.resolve("ca.crt"), authority);
			replace(folder.resolve("client.crt"), client.certificate());
			replace(folder.resolve("client.key"), client.key());
		}

		@Override
		List<String> properties(Path folder, URI url) {
			String pem = "spring.ssl.bundle.pem.cluster.";
			return List.of("reflector.api-server.url=" + url, "reflector.api-server.ssl-bundle=cluster",
					"spring.ssl.bundle.watch.file.quiet-period=50ms", pem + "reload-on-update=true",
					pem + "truststore.certificate=" + folder.resolve("ca.crt"),
					pem + "keystore.certificate=" + folder.resolve("client.crt"),
					pem + "keystore.private-key=" + folder.resolve("client.key"));
		}

		@Override
		boolean readsByItself() {
			return false;
		}

		@Override
		Runnable follow(ApplicationContext context, Path folder) {
			AtomicReference<SslBundle> loaded = new AtomicReference<>();
			context.getBean(SslBundles.class).addBundleUpdateHandler("cluster", loaded::set);
			return () -> await().until(() -> loaded.get() != null
					&& isIn(loaded.get().getStores().getTrustStore(), folder.resolve("ca.crt"))
					&& isIn(loaded.get().getStores().getKeyStore(), folder.resolve("client.crt")));
		}
	};

	/** Writes trust and client certificate, replacing earlier ones. */
	abstract void write(Path folder, URI url, String authority, PemCertificate client);

	List<String> properties(Path folder, URI url) {
		return List.of("reflector.api-server.kubeconfig=" + folder.resolve("kubeconfig"));
	}

	MirrorApplication start(Path folder, URI url, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(properties(folder, url));
		return MirrorApplication.start(all.toArray(String[]::new));
	}

	boolean hasClientCertificate() {
		return true;
	}

	/**
	 * Follows the loaded certificates, where another component reads the files.
	 * @param context the application
	 * @param folder where the files are
	 * @return waits until the certificates of the files are loaded
	 */
	Runnable follow(ApplicationContext context, Path folder) {
		return () -> {
		};
	}

	private static boolean isIn(@Nullable KeyStore store, Path file) throws IOException, GeneralSecurityException {
		try (InputStream text = Files.newInputStream(file)) {
			Certificate first = CertificateFactory.getInstance("X.509").generateCertificates(text).iterator().next();
			return store != null && store.getCertificateAlias(first) != null;
		}
	}

	/**
	 * Whether the client reads the files before each connection, and no other component
	 * does.
	 */
	boolean readsByItself() {
		return true;
	}

	private static void kubeconfigOnce(Path folder, URI url, String cluster, String user) {
		Path file = folder.resolve("kubeconfig");
		if (!Files.exists(file)) {
			replace(file, new KubeconfigFile(cluster, user).text(url));
		}
	}

	/**
	 * Writes a file in place, as it is done by hand: later than before, even where the
	 * clock of the file system ticks slowly.
	 */
	static void replace(Path file, String text) {
		try {
			FileTime before = Files.exists(file) ? Files.getLastModifiedTime(file) : null;
			Files.writeString(file, text);
			if (before != null && Files.getLastModifiedTime(file).compareTo(before) <= 0) {
				Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1000));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void project(Path folder, Map<String, String> files) {
		try {
			Path version = Files.createTempDirectory(folder, "..");
			for (Map.Entry<String, String> file : files.entrySet()) {
				Files.writeString(version.resolve(file.getKey()), file.getValue());
			}
			Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
			Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE,
					StandardCopyOption.REPLACE_EXISTING);
			for (String name : files.keySet()) {
				if (!Files.exists(folder.resolve(name))) {
					Files.createSymbolicLink(folder.resolve(name), Path.of("..data", name));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
