package dev.reflector.client;

import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceType;
import dev.reflector.benchmark.micro.Cutting;
import dev.reflector.benchmark.micro.Pods;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Framer;
import dev.reflector.client.internal.frame.ListFramer;
import dev.reflector.client.internal.frame.WatchFramer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cutting bytes into objects, per object.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class FramingBenchmark {

	private static final int OBJECTS = 500;

	private static final int LIMIT = 16 * 1024 * 1024;

	private static final ResourceType TYPE = ResourceType.of("v1", "Pod", "pods");

	/** Size of a network buffer. */
	@Param({ "8192", "65536" })
	public int bufferSize;

	private byte[][] list = {};

	private byte[][] watch = {};

	/** Renders the bodies. */
	@Setup
	public void render() {
		this.list = Pods.buffers(Pods.list(OBJECTS), this.bufferSize);
		this.watch = Pods.buffers(Pods.watch(OBJECTS), this.bufferSize);
	}

	/**
	 * A page of a list.
	 * @param blackhole takes the frames
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void list(Blackhole blackhole) {
		cut(new ListFramer(TYPE, LIMIT), this.list, blackhole);
	}

	/**
	 * A burst of a watch.
	 * @param blackhole takes the frames
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void watch(Blackhole blackhole) {
		cut(new WatchFramer(LIMIT), this.watch, blackhole);
	}

	private static void cut(Framer framer, byte[][] buffers, Blackhole blackhole) {
		Chunk chunk = new Chunk();
		for (byte[] buffer : buffers) {
			Cutting.cut(framer, chunk, buffer, blackhole::consume);
		}
	}

}
