package com.example;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application of the quick start with an AOT cache, made and used as the guide shows.
 */
@Timeout(value = 360, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AotCacheTests {

	private static final Path GUIDE = Path.of("..", "..", "docs", "native.md");

	@TempDir
	private Path folder;

	/** The JVM has such caches, and making one takes as much time as several starts. */
	static boolean isAskedFor() {
		return Runtime.version().feature() >= 25
				&& (Boolean.getBoolean("tests.full") || Boolean.getBoolean("tests.aot-cache"));
	}

	@Test
	@EnabledIf(value = "isAskedFor",
			disabledReason = "runs on Java 25 or later with -Dtests.full=true or -Dtests.aot-cache=true")
	void mirrorsWithClassesFromTheCacheOfATrainingRun() throws Exception {
		Path cache = this.folder.resolve("demo.aot");
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			server.resources("widgets")
				.create(Map.of("metadata", Map.of("name", "widget-1"), "spec", Map.of("size", 17)));
			String url = "--reflector.api-server.url=" + server.url();
			String added = "ResourceAddedEvent[widgets default/widget-1 @ 2] has size 17";
			List<String> training = run(added, "-XX:AOTCacheOutput=" + cache, url);
			assertThat(training).contains(added);
			assertThat(cache).isNotEmptyFile();
			// a JVM that cannot use the cache does not start
			List<String> lines = run(added, "-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load", url);
			assertThat(lines).contains(added).anyMatch((line) -> line.contains("Starting AOT-processed"));
			assertThat(lines)
				.anyMatch((line) -> line.contains(" dev.reflector.cache.informer.SharedInformer source: shared"))
				.anyMatch((line) -> line.contains(" com.example.Widget source: shared"));
		}
	}

	@Test
	void theGuideShowsTheseOptions() throws IOException {
		assertThat(Files.readString(GUIDE)).contains("-XX:AOTCacheOutput=", "-XX:AOTCache=",
				"--reflector.keep-alive=false");
	}

	/** Ends the application when it has written a line: it has a web server. */
	private List<String> run(String awaited, String... arguments) throws Exception {
		// the quick compiler is enough for a process that ends soon
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Dspring.aot.enabled=true", "-cp", classPath()));
		List<String> options = Stream.of(arguments).filter((argument) -> argument.startsWith("-X")).toList();
		command.addAll(1, options);
		command.add("com.example.DemoApplication");
		Stream.of(arguments).filter((argument) -> !options.contains(argument)).forEach(command::add);
		Path log = Files.createTempFile(this.folder, "run", ".log");
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			for (int i = 0; i < 1500 && process.isAlive() && !Files.readAllLines(log).contains(awaited); i++) {
				process.waitFor(100, TimeUnit.MILLISECONDS);
			}
			process.destroy();
			assertThat(process.waitFor(150, TimeUnit.SECONDS)).as("%s has ended", command).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		List<String> lines = Files.readAllLines(log);
		assertThat(process.exitValue()).as("ended by a signal: %s", lines).isEqualTo(143);
		return lines;
	}

	/** A cache is of jars: folders are none. */
	private String classPath() throws IOException {
		Path application = this.folder.resolve("demo.jar");
		if (!Files.exists(application)) {
			write(RuntimeClassPath.application(), application);
		}
		List<String> entries = new ArrayList<>(List.of(application.toString()));
		int number = 0;
		for (Path entry : RuntimeClassPath.dependencies()) {
			Path jar = entry;
			if (Files.isDirectory(entry)) {
				jar = this.folder.resolve(number++ + ".jar");
				if (!Files.exists(jar)) {
					write(entry, jar);
				}
			}
			entries.add(jar.toString());
		}
		return String.join(File.pathSeparator, entries);
	}

	/** Names folders too: Spring looks for classes in them. */
	private static void write(Path folder, Path jar) throws IOException {
		try (OutputStream file = Files.newOutputStream(jar);
				JarOutputStream out = new JarOutputStream(file);
				Stream<Path> entries = Files.walk(folder)) {
			for (Path entry : entries.skip(1).sorted().toList()) {
				String name = folder.relativize(entry).toString().replace(File.separatorChar, '/');
				boolean isFile = Files.isRegularFile(entry);
				out.putNextEntry(new JarEntry(isFile ? name : name + "/"));
				if (isFile) {
					Files.copy(entry, out);
				}
				out.closeEntry();
			}
		}
	}

}
