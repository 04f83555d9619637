package dev.reflector.benchmark.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts Java processes and ends them.
 */
final class Jvm {

	private final Path root;

	private final Set<Process> running = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the starter.
	 * @param root folder of the benchmarks, built
	 */
	Jvm(Path root) {
		this.root = root;
		// when the runner is interrupted, its processes end, too
		Runtime.getRuntime().addShutdownHook(new Thread(() -> this.running.forEach(Process::destroyForcibly)));
	}

	String classPath(String module) {
		try {
			return this.root.resolve(module).resolve("target/classes") + ":"
					+ Files.readString(this.root.resolve(module).resolve("target/class-path"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the class path with a jar in place of the folder of classes, as an AOT
	 * cache needs.
	 */
	String jars(String module) {
		Path target = this.root.resolve(module).resolve("target");
		try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, "reflector-benchmark-*.jar")) {
			return jars.iterator().next() + ":" + Files.readString(target.resolve("class-path"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	ProcessBuilder command(List<String> options, String classPath, String mainClass, List<String> arguments) {
		return command(options, Stream.concat(Stream.of("-cp", classPath, mainClass), arguments.stream()));
	}

	ProcessBuilder command(List<String> options, Path jar) {
		return command(options, Stream.of("-jar", jar.toString()));
	}

	private static ProcessBuilder command(List<String> options, Stream<String> what) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		what.forEach(command::add);
		return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
	}

	/**
	 * Runs a contender to its end, with its own options and arguments as well.
	 * @param contender the contender
	 * @param options options of the JVM
	 * @param arguments arguments of the contender
	 * @param timeout after which it is ended
	 * @return the values it has printed; none when it did not complete
	 */
	Map<String, Double> run(Contender contender, List<String> options, List<String> arguments, Duration timeout) {
		List<String> allOptions = Stream.concat(options.stream(), contender.options().stream()).toList();
		List<String> allArguments = Stream.concat(arguments.stream(), contender.arguments().stream()).toList();
		return run(command(allOptions, classPath(contender.module()), contender.mainClass(), allArguments), timeout);
	}

	/**
	 * Runs a process to its end.
	 * @param builder the process
	 * @param timeout after which it is ended
	 * @return the values it has printed; none when it did not complete
	 */
	Map<String, Double> run(ProcessBuilder builder, Duration timeout) {
		try {
			Path output = Files.createTempFile("benchmark", ".out");
			try {
				Process process = builder.redirectOutput(output.toFile()).start();
				this.running.add(process);
				try {
					process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
				}
				finally {
					process.destroyForcibly().waitFor();
					this.running.remove(process);
				}
				return values(Files.readAllLines(output));
			}
			finally {
				Files.delete(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private static Map<String, Double> values(List<String> lines) {
		Map<String, Double> values = new LinkedHashMap<>();
		boolean complete = false;
		for (String line : lines) {
			int equals = line.indexOf('=');
			if (line.equals("complete=true")) {
				complete = true;
			}
			else if (equals > 0 && line.substring(equals + 1).matches("-?[0-9.]+")) {
				values.put(line.substring(0, equals), Double.valueOf(line.substring(equals + 1)));
			}
		}
		// a run that broke off shows nothing
		return complete ? values : Map.of();
	}

}
