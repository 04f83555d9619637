package dev.reflector.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceType;
import dev.reflector.benchmark.micro.Cutting;
import dev.reflector.benchmark.micro.Pods;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.bind.Pruning;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.bind.TypeReading;
import dev.reflector.client.internal.decode.ExpectedType;
import dev.reflector.client.internal.decode.ObjectDecoder;
import dev.reflector.client.internal.decode.WatchDecoder;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonSkipper;
import dev.reflector.client.internal.frame.ListFramer;
import dev.reflector.client.internal.frame.WatchFramer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Making records of the bytes of an object, per object, and what parts of that take on
 * their own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class DecodingBenchmark {

	private static final int OBJECTS = 500;

	private static final int LIMIT = 16 * 1024 * 1024;

	private static final ResourceType TYPE = ResourceType.of("v1", "Pod", "pods");

	private final ObjectReader jackson = Pods.reader();

	private final ObjectReader reader = ServerObjectModule.mapper(JsonMapper.builder().build()).readerFor(Pod.class);

	private final ObjectBinder<Pod> binder = new ObjectBinder<>(this.reader, Pod.class);

	private final ObjectBinder<Weighed> parsing = new ObjectBinder<>(this.reader.forType(Weighed.class), Weighed.class);

	private final ObjectDecoder<Pod> decoder = new ObjectDecoder<>(this.binder, MetadataAccessor.forType(Pod.class),
			new ExpectedType(TYPE, false));

	private final WatchDecoder<Pod> watchDecoder = new WatchDecoder<>(this.decoder);

	private final Shape shape = TypeReading.of(this.reader, Pod.class).shape();

	private final Pruning pruning = new Pruning(new JsonSkipper.Limits(100, 1000, 100));

	private final List<Frame> items = new ArrayList<>();

	private final List<Frame> events = new ArrayList<>();

	/** Cuts the bodies. */
	@Setup
	public void cut() {
		Cutting.cut(new ListFramer(TYPE, LIMIT), new Chunk(), Pods.list(OBJECTS),
				(frame) -> this.items.add(Cutting.copy(frame)));
		Cutting.cut(new WatchFramer(LIMIT), new Chunk(), Pods.watch(OBJECTS),
				(frame) -> this.events.add(Cutting.copy(frame)));
	}

	/**
	 * Items of a list.
	 * @param blackhole takes the objects
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void items(Blackhole blackhole) {
		this.items.forEach((frame) -> blackhole.consume(this.decoder.decode(frame, null)));
	}

	/**
	 * Frames of a watch.
	 * @param blackhole takes the events
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void events(Blackhole blackhole) {
		this.events.forEach((frame) -> blackhole.consume(this.watchDecoder.decode(frame, null)));
	}

	/**
	 * Jackson as it is by default.
	 * @param blackhole takes the objects
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void jackson(Blackhole blackhole) {
		read(this.jackson, blackhole);
	}

	/**
	 * Jackson, passing over at once what is not declared.
	 * @param blackhole takes the objects
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void jacksonIgnoring(Blackhole blackhole) {
		read(this.reader, blackhole);
	}

	private void read(ObjectReader reader, Blackhole blackhole) {
		for (Frame frame : this.items) {
			Pod pod = reader.readValue(frame.bytes(), frame.offset(), frame.length());
			blackhole.consume(pod);
		}
	}

	/**
	 * Objects of a type that needs no parser.
	 * @param blackhole takes the objects
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void bound(Blackhole blackhole) {
		bind(this.binder, blackhole);
	}

	/**
	 * Objects of a type with one component more, which Jackson reads of what is left.
	 * @param blackhole takes the objects
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void parsed(Blackhole blackhole) {
		bind(this.parsing, blackhole);
	}

	private <T> void bind(ObjectBinder<T> binder, Blackhole blackhole) {
		for (Frame frame : this.items) {
			blackhole.consume(binder.bind(frame, frame.offset(), frame.end()));
		}
	}

	/**
	 * Leaving out of the bytes what is not declared, without reading the rest.
	 * @param blackhole takes how much is left
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void pruning(Blackhole blackhole) {
		for (Frame frame : this.items) {
			this.pruning.prune(this.shape, frame.bytes(), frame.offset(), frame.end());
			blackhole.consume(this.pruning.length());
		}
	}

	/**
	 * A Pod with a weight, which none of them has.
	 *
	 * @param metadata metadata
	 * @param spec what is wanted
	 * @param status what is
	 * @param weight the weight
	 */
	record Weighed(Pod.Metadata metadata, Pod.@Nullable Spec spec, Pod.@Nullable Status status,
			@Nullable Double weight) {

	}

}
