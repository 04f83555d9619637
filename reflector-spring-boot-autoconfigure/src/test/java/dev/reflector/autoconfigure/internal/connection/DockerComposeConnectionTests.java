package dev.reflector.autoconfigure.internal.connection;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.client.credentials.ApiServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.DockerComposeFile;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.lifecycle.DockerComposeServicesReadyEvent;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DockerComposeReflectorConnectionDetailsFactory}, found and called by
 * Spring Boot as if Docker Compose had started the services. They run without Docker.
 */
@ExtendWith(OutputCaptureExtension.class)
class DockerComposeConnectionTests {

	private static final String K3S = "rancher/k3s:v1.34.1-k3s1";

	private static final String[] AUTHORITIES = authorities();

	private final Map<String, String> labels = new LinkedHashMap<>();

	private final ConnectionPorts ports = mock(ConnectionPorts.class);

	@TempDir
	private Path folder;

	private Path composeFile;

	private Path kubeconfig;

	@BeforeEach
	void compose() throws IOException {
		this.composeFile = Files.createFile(this.folder.toRealPath().resolve("compose.yaml"));
		this.kubeconfig = Files.createDirectory(this.composeFile.resolveSibling("k3s")).resolve("kubeconfig.yaml");
		this.labels.put("reflector.kubeconfig", "k3s/kubeconfig.yaml");
		given(this.ports.get(6443)).willReturn(32768);
	}

	@Test
	void theServiceWinsOverPropertiesWithTheCredentialsOfItsKubeconfig() throws Exception {
		write(AUTHORITIES[0], "alpha");
		try (ConfigurableApplicationContext context = run(service(K3S))) {
			ApiServer server = server(context);
			assertThat(server.url()).isEqualTo(URI.create("https://127.0.0.1:32768"));
			assertThat(server.token().token()).isEqualTo("alpha");
			assertThat(server.route().serverName()).isEqualTo("kubernetes");
			assertThat(trusted(server.ssl().bundle())).containsExactly(AUTHORITIES[0]);
			assertThat(server.origin()).isEqualTo(
					"kubeconfig " + this.kubeconfig + ", context default, for the Docker Compose service shop-k3s-1");
		}
	}

	@Test
	void aChangeOfTheFileIsFollowed() throws Exception {
		write(AUTHORITIES[0], "alpha");
		try (ConfigurableApplicationContext context = run(service(K3S))) {
			ApiServer server = server(context);
			SslBundle before = server.ssl().bundle();
			write(AUTHORITIES[1], "another");
			assertThat(server.token().token()).isEqualTo("another");
			assertThat(trusted(server.ssl().bundle())).containsExactly(AUTHORITIES[1]);
			assertThat(server.ssl().bundle()).isNotSameAs(before);
			Files.delete(this.kubeconfig);
			assertThat(server.token().token()).isEqualTo("another");
		}
	}

	@Test
	void anAbsoluteFileAndAnAddressOfIpVersion6() throws Exception {
		write(AUTHORITIES[0], "alpha");
		this.labels.put("reflector.kubeconfig", this.kubeconfig.toString());
		RunningService service = service(K3S);
		given(service.composeFile()).willReturn(null);
		given(service.host()).willReturn("::1");
		try (ConfigurableApplicationContext context = run(service)) {
			assertThat(server(context).url()).isEqualTo(URI.create("https://[::1]:32768"));
		}
	}

	@Test
	void anImageOfOnesOwnIsNamedByTheLabelOfBoot() throws Exception {
		write(AUTHORITIES[0], "alpha");
		this.labels.put("org.springframework.boot.service-connection", "rancher/k3s");
		try (ConfigurableApplicationContext context = run(service("registry.example.com/platform/cluster:1"))) {
			assertThat(server(context).url()).isEqualTo(URI.create("https://127.0.0.1:32768"));
		}
	}

	@Test
	void otherImagesAreNone() {
		try (ConfigurableApplicationContext context = run(service("redis:8"))) {
			// nothing is mirrored, so the library adds no bean
			assertThat(context.getBeanNamesForType(ReflectorConnectionDetails.class))
				.containsExactly("reflectorConnectionDetails");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void aServiceWithoutTheLabelIsExplained(String label, CapturedOutput output) throws Exception {
		write(AUTHORITIES[0], "alpha");
		this.labels.put("reflector.kubeconfig", label);
		failToStart(service(K3S));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("the Docker Compose service shop-k3s-1 is: the service has no label 'reflector.kubeconfig'")
			.contains("Add to the service in " + this.composeFile)
			.contains("K3S_KUBECONFIG_OUTPUT: /output/kubeconfig.yaml")
			.contains("reflector.kubeconfig: k3s/kubeconfig.yaml")
			.contains("org.springframework.boot.ignore");
	}

	@Test
	void aFileThatIsMissingIsExplained(CapturedOutput output) {
		failToStart(service(K3S));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is no kubeconfig " + this.kubeconfig + ", which the Docker Compose service shop-k3s-1")
			.contains("K3S_KUBECONFIG_OUTPUT: /output/kubeconfig.yaml")
			.contains("healthcheck");
	}

	@Test
	void aFileThatIsBrokenIsExplained(CapturedOutput output) throws Exception {
		Files.writeString(this.kubeconfig, "no: good\n");
		failToStart(service(K3S));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The kubeconfig " + this.kubeconfig + ", which the Docker Compose service shop-k3s-1")
			.contains("names no current-context")
			.contains("K3S_KUBECONFIG_MODE");
	}

	@Test
	void aLabelThatIsNoNameOfAFileIsExplained(CapturedOutput output) {
		this.labels.put("reflector.kubeconfig", "k3s\0");
		failToStart(service(K3S));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The label 'reflector.kubeconfig' of the Docker Compose service shop-k3s-1 is not the name of");
	}

	@Test
	void aPortThatIsNotPublishedIsExplained(CapturedOutput output) throws Exception {
		write(AUTHORITIES[0], "alpha");
		given(this.ports.get(6443)).willThrow(new IllegalStateException("No host port mapping found"));
		failToStart(service(K3S));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("the service does not publish port 6443")
			.contains("Add \"6443\" to the 'ports' of the service in " + this.composeFile);
	}

	@Test
	void aHostThatCannotStandInAUrlIsExplained(CapturedOutput output) throws Exception {
		write(AUTHORITIES[0], "alpha");
		RunningService service = service(K3S);
		given(service.host()).willReturn("docker host");
		failToStart(service);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The host of the Docker Compose service shop-k3s-1, 'docker host', cannot be part of a URL")
			.contains("Set 'spring.docker.compose.host'");
	}

	private RunningService service(String image) {
		RunningService service = mock(RunningService.class);
		given(service.name()).willReturn("shop-k3s-1");
		given(service.image()).willReturn(ImageReference.of(image));
		given(service.host()).willReturn("127.0.0.1");
		given(service.ports()).willReturn(this.ports);
		given(service.labels()).willReturn(Collections.unmodifiableMap(this.labels));
		given(service.composeFile()).willReturn(DockerComposeFile.of(this.composeFile.toFile()));
		return service;
	}

	private void write(String authority, String token) throws IOException {
		// K3s writes the port inside the container
		Files.writeString(this.kubeconfig, """
				apiVersion: v1
				kind: Config
				current-context: default
				contexts:
				- name: default
				  context: {cluster: default, user: default}
				clusters:
				- name: default
				  cluster:
				    server: https://127.0.0.1:6443
				    tls-server-name: kubernetes
				    certificate-authority-data: %s
				users:
				- name: default
				  user: {token: %s}
				""".formatted(Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII)),
				token));
	}

	private static ApiServer server(ConfigurableApplicationContext context) {
		return context.getBean(ReflectorConnectionDetails.class).getApiServer();
	}

	private static ConfigurableApplicationContext run(RunningService service, String... packages) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		application.addInitializers((context) -> {
			AutoConfigurationPackages.register((GenericApplicationContext) context, packages);
			DockerComposeServicesReadyEvent event = mock(DockerComposeServicesReadyEvent.class);
			given(event.getSource()).willReturn(context);
			given(event.getRunningServices()).willReturn(List.of(service));
			SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
			application.getListeners().forEach(multicaster::addApplicationListener);
			multicaster.multicastEvent(event);
		});
		return application.run(Stream
			.concat(Stream.of(ReflectorContextRunners.NO_SERVER),
					Stream.of("reflector.api-server.url=http://127.0.0.1:1"))
			.map((setting) -> "--" + setting)
			.toArray(String[]::new));
	}

	private static void failToStart(RunningService service) {
		assertThatException().isThrownBy(() -> run(service, Widget.class.getPackageName()).close());
	}

	/**
	 * The certificates that the JVM trusts, which are public and need not be made.
	 */
	private static String[] authorities() {
		try {
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init((KeyStore) null);
			X509Certificate[] issuers = ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
			return new String[] { pem(issuers[0]), pem(issuers[1]) };
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> trusted(SslBundle bundle) throws Exception {
		KeyStore store = bundle.getStores().getTrustStore();
		return Collections.list(store.aliases()).stream().map((alias) -> {
			try {
				return pem((X509Certificate) store.getCertificate(alias));
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}).toList();
	}

	private static String pem(X509Certificate certificate) throws Exception {
		return "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
				+ "\n-----END CERTIFICATE-----\n";
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ReflectorAutoConfiguration.class, SslAutoConfiguration.class })
	static class Application {

	}

}
