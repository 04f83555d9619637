package dev.reflector.benchmark.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.reflector.benchmark.server.Kind;

/**
 * A load server in a separate process.
 */
final class LoadServerProcess implements AutoCloseable {

	private static final int MEGABYTE = 1024 * 1024;

	private final Jvm jvm;

	private final Kind kind;

	private final int count;

	private final Process process;

	private final String url;

	LoadServerProcess(Jvm jvm, Kind kind, int count, int size) {
		this(jvm, "harness", "server.LoadServer", kind, count, size, (size > 0) ? size + 256 : 6500);
	}

	private LoadServerProcess(Jvm jvm, String module, String mainClass, Kind kind, int count, int size, int bytes) {
		this.jvm = jvm;
		this.kind = kind;
		this.count = count;
		long heap = 256 + (long) count * bytes / MEGABYTE;
		try {
			this.process = jvm
				.command(List.of("-Xmx" + heap + "m", "-XX:+UseSerialGC"), jvm.classPath(module),
						"dev.reflector.benchmark." + mainClass,
						List.of(kind.name(), Integer.toString(count), Integer.toString(size)))
				.start();
			String line = new BufferedReader(
					new InputStreamReader(this.process.getInputStream(), StandardCharsets.US_ASCII))
				.readLine();
			if (line == null) {
				throw new IllegalStateException("the load server did not start");
			}
			this.url = "http://127.0.0.1:" + line.substring("port=".length());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A server that answers in protobuf as well. */
	static LoadServerProcess withProtobuf(Jvm jvm, Kind kind, int count) {
		return new LoadServerProcess(jvm, "protobuf", "protobuf.ProtobufServer", kind, count, 0, 11_000);
	}

	/**
	 * Sends much that is not measured. Otherwise, the first client would share the
	 * processors with the compilers of the server.
	 * @param options options of the JVM that receives it
	 * @param timeout how long that may take
	 */
	void warmUp(List<String> options, Duration timeout) {
		this.jvm.run(Contender.DRAIN, options, List.of(this.url, this.kind.name(), Integer.toString(this.count * 4)),
				timeout);
	}

	String url() {
		return this.url;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
