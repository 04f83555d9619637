package com.example;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the walk-through from an empty folder: the page contains everything that a user
 * needs. The commands of the page run unchanged, except for the ports, which are any free
 * ones.
 */
@Timeout(value = 360, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartWalkTests {

	private static final Pattern SERVER = Pattern.compile("Reflectors use the API server (http://127.0.0.1:\\d+) ");

	private static final Pattern APPLICATION = Pattern.compile("Tomcat started on port (\\d+) ");

	private static final Pattern PROBE = Pattern.compile("httpGet: \\{path: ([^,]+),");

	@TempDir
	private Path folder;

	private Process application;

	@AfterEach
	void end() {
		if (this.application != null) {
			this.application.destroyForcibly();
		}
	}

	@Test
	void theApplicationLogsWhatTheCommandsOfThePageDo() throws Exception {
		StartPage page = StartPage.read();
		String classPath = build(page);
		Path log = this.folder.resolve("log");
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		// it lives for a moment
		ProcessBuilder command = new ProcessBuilder(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-cp", classPath,
				"com.example.TestDemoApplication");
		command.environment().put("SERVER_PORT", "0");
		this.application = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
		await().atMost(120, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(Files.readString(log)).contains("Started DemoApplication",
					"Reflector 'deployments': listed 0 objects"));
		String server = found(SERVER, log);
		String root = "http://127.0.0.1:" + found(APPLICATION, log);

		String changed = run(page.commands("DEPLOYMENTS=").replace("http://127.0.0.1:8001", server));
		assertThat(changed).doesNotContain("\"Failure\"");
		List<String> lines = page.output("ResourceAddedEvent");
		assertThat(lines).hasSize(3);
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(Files.readString(log)).contains(lines).doesNotContain("Exception"));

		String status = run(page.commands("/actuator/reflectors").replace("http://127.0.0.1:8080", root));
		assertThat(status).contains("\"state\":\"WATCHING\"", "\"synced\":true", "\"added\":1", "\"deleted\":1");

		List<String> probes = PROBE.matcher(page.files().get("demo.yaml"))
			.results()
			.map((result) -> result.group(1))
			.toList();
		assertThat(probes).hasSize(3);
		for (String probe : probes) {
			HttpRequest request = HttpRequest.newBuilder(URI.create(root + probe)).build();
			assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body()).as(probe)
				.isEqualTo("{\"status\":\"UP\"}");
		}
	}

	/** Compiles the page, with the libraries of this module and nothing else of it. */
	private String build(StartPage page) throws IOException {
		String libraries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("reflector-sample-start"))
			.collect(Collectors.joining(File.pathSeparator));
		Path classes = Files.createDirectory(this.folder.resolve("classes"));
		for (Map.Entry<String, String> file : page.files().entrySet()) {
			Path path = this.folder.resolve(file.getKey());
			Files.createDirectories(path.getParent());
			// the port may be in use on a machine with several builds
			Files.writeString(path, file.getValue().replace(".port(8001)", ".port(0)"));
		}
		try (Stream<Path> files = Files.walk(this.folder)) {
			List<String> sources = files.map(Path::toString).filter((name) -> name.endsWith(".java")).toList();
			List<String> options = List.of("-parameters", "-proc:none", "--release", "17", "-cp", libraries, "-d",
					classes.toString());
			assertThat(ToolProvider.getSystemJavaCompiler()
				.run(null, null, null, Stream.concat(options.stream(), sources.stream()).toArray(String[]::new)))
				.isZero();
		}
		return String.join(File.pathSeparator, classes.toString(), this.folder.resolve("src/main/resources").toString(),
				libraries);
	}

	private static String found(Pattern pattern, Path log) throws IOException {
		return pattern.matcher(Files.readString(log))
			.results()
			.map((result) -> result.group(1))
			.findFirst()
			.orElseThrow();
	}

	private String run(String commands) throws Exception {
		assumeThat(System.getProperty("os.name").toLowerCase(Locale.ROOT)).doesNotContain("windows");
		Path output = this.folder.resolve("output");
		Process shell = new ProcessBuilder("sh", "-e", "-c", commands).redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(shell.exitValue()).as(Files.readString(output)).isZero();
			return Files.readString(output);
		}
		finally {
			shell.destroyForcibly();
		}
	}

}
