package dev.reflector.test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.fixture.LongFormOnly;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The real {@code kubectl} against the embedded server.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KubectlTests {

	private static final String DEPLOYMENT = """
			apiVersion: apps/v1
			kind: Deployment
			metadata: {name: web, labels: {app: web}}
			spec:
			  replicas: 1
			  selector: {matchLabels: {app: web}}
			  template:
			    metadata: {labels: {app: web}}
			    spec:
			      containers:
			      - {name: main, image: "main:1", ports: [{containerPort: 80}, {containerPort: 81}]}
			      - {name: sidecar, image: "sidecar:1"}
			""";

	private static final String WIDGET = """
			apiVersion: example.com/v1
			kind: Widget
			metadata: {name: first, labels: {tier: web}}
			spec: {size: 1}
			""";

	@TempDir
	private Path directory;

	private EmbeddedApiServer server;

	private Path kubeconfig;

	@BeforeEach
	void start() {
		boolean present = Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((path) -> Files.isExecutable(Path.of(path, "kubectl")));
		assumeTrue(present, "kubectl is not on the PATH");
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true, "wd")
			.type("apps/v1", "Deployment", "deployments", true, "deploy")
			.start();
	}

	@AfterEach
	void close() {
		if (this.server != null) {
			this.server.close();
		}
	}

	@Test
	void appliesAndGetsWidgets() {
		assertThat(apply(WIDGET)).contains("widget.example.com/first created");
		assertThat(apply(WIDGET)).contains("widget.example.com/first unchanged");
		assertThat(apply(WIDGET.replace("size: 1", "size: 2"))).contains("widget.example.com/first configured");
		assertThat(kubectl("get", "widgets")).containsPattern("NAME +AGE\nfirst +\\d+s");
		assertThat(kubectl("get", "wd", "first", "-o", "jsonpath={.spec.size}")).isEqualTo("2");
	}

	@Test
	void appliesChangesToDeployments() {
		assertThat(apply(DEPLOYMENT)).contains("deployment.apps/web created");
		String changed = DEPLOYMENT.replace("replicas: 1", "replicas: 3")
			.replace("main:1", "main:2")
			.replace("containerPort: 81", "containerPort: 82")
			.replaceAll(".*sidecar.*\n", "");
		assertThat(apply(changed)).contains("deployment.apps/web configured");
		assertThat(apply(changed)).contains("deployment.apps/web unchanged");
		assertThat(kubectl("get", "deployment", "web", "-o", "jsonpath={.spec.replicas} {.spec.template.spec}"))
			.isEqualTo("3 {\"containers\":[{\"image\":\"main:2\",\"name\":\"main\",\"ports\":"
					+ "[{\"containerPort\":80},{\"containerPort\":82}]}]}");
	}

	@Test
	void selectsPatchesAndDeletes() {
		apply(WIDGET);
		apply(WIDGET.replace("first", "second").replace("web", "db"));
		assertThat(kubectl("get", "widgets", "-l", "tier=db", "-o", "name")).isEqualTo("widget.example.com/second\n");
		assertThat(kubectl("patch", "widget", "second", "--type=merge", "-p", "{\"spec\":{\"size\":7}}"))
			.contains("patched");
		assertThat(this.server.resources("widgets").get("default", "second").orElseThrow().at("/spec/size").asInt())
			.isEqualTo(7);
		assertThat(kubectl("delete", "widget", "second")).contains("deleted");
		assertThat(kubectl("get", "widgets", "-A", "-o", "name")).isEqualTo("widget.example.com/first\n");
	}

	@Test
	void worksWithTheKubeconfigOfAServerThatAsksForEverything() throws IOException {
		this.server.close();
		CertificateAuthority clients = CertificateAuthority.create();
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true, "wd")
			.tls()
			.requireClientCertificates(clients.certificate())
			.requireToken("alpha")
			.start();
		Path kubeconfig = this.directory.resolve("kubeconfig");
		Files.writeString(kubeconfig, this.server.kubeconfig(clients.forClient("app")));
		this.kubeconfig = kubeconfig;
		assertThat(apply(WIDGET)).contains("widget.example.com/first created");
		assertThat(kubectl("get", "widgets", "-o", "name")).isEqualTo("widget.example.com/first\n");
		this.server.useCertificate(CertificateAuthority.create().forServer());
		Files.writeString(kubeconfig, this.server.kubeconfig(clients.forClient("app")));
		assertThat(kubectl("get", "widgets", "-o", "name")).isEqualTo("widget.example.com/first\n");
	}

	@Test
	void isTurnedAwayWithoutAToken() throws Exception {
		this.server.acceptTokens("alpha");
		assertThat(failure("get", "widgets")).containsIgnoringCase("logged in");
	}

	@Test
	@LongFormOnly
	void cannotScaleATypeWithoutScale() throws Exception {
		apply(WIDGET);
		apply(DEPLOYMENT);
		assertThat(failure("scale", "widget", "first", "--replicas=3"))
			.contains("Error from server (NotFound): widgets.example.com \"first\" not found");
		assertThat(failure("scale", "deployment", "web", "--replicas=3"))
			.contains("Error from server (NotFound): the server could not find the requested resource");
	}

	private String failure(String... arguments) throws Exception {
		Path output = this.directory.resolve("output.txt");
		Process process = process(output, arguments);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isNotZero();
		return Files.readString(output);
	}

	@Test
	void watches() throws Exception {
		Path output = this.directory.resolve("watch.txt");
		Process watch = process(output, "get", "widgets", "-w", "-o", "name");
		try {
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.server.activeWatches() == 1);
			ResourceCollection widgets = this.server.resources("widgets");
			widgets.create("{\"metadata\":{\"name\":\"first\"}}");
			widgets.create("{\"metadata\":{\"name\":\"second\"}}");
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> Files.readString(output).equals("widget.example.com/first\nwidget.example.com/second\n"));
		}
		finally {
			watch.destroyForcibly().waitFor();
		}
	}

	private String apply(String manifest) {
		try {
			Path file = Files.writeString(this.directory.resolve("manifest.yaml"), manifest);
			return kubectl("apply", "-f", file.toString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String kubectl(String... arguments) {
		Path output = this.directory.resolve("output.txt");
		try {
			Process process = process(output, arguments);
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			String text = Files.readString(output);
			assertThat(process.exitValue()).as(text).isZero();
			return text;
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Process process(Path output, String... arguments) throws IOException {
		boolean named = this.kubeconfig != null;
		List<String> command = new ArrayList<>(
				List.of("kubectl", named ? "--kubeconfig=" + this.kubeconfig : "--server=" + this.server.url(),
						"--cache-dir=" + this.directory.resolve("cache")));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
		builder.environment().put("HOME", this.directory.toString());
		Path empty = Files.writeString(this.directory.resolve("no-kubeconfig"), "apiVersion: v1\nkind: Config\n");
		builder.environment().put("KUBECONFIG", empty.toString());
		return builder.start();
	}

}
