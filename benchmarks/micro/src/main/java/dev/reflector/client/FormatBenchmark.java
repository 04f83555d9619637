package dev.reflector.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.ResourceType;
import dev.reflector.benchmark.micro.Cutting;
import dev.reflector.benchmark.micro.Pods;
import dev.reflector.benchmark.protobuf.ProtobufEncoding;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.benchmark.server.Dataset;
import dev.reflector.benchmark.server.Kind;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.decode.ExpectedType;
import dev.reflector.client.internal.exchange.Answer;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.Unpacking;
import dev.reflector.client.internal.frame.WatchFramer;
import dev.reflector.client.options.ObjectFormat;
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
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.cbor.CBORMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

/**
 * Reads the bytes of a watch, from the buffer to the event, per event: the same events in
 * each format, each in a separate buffer.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class FormatBenchmark {

	private static final int EVENTS = 500;

	private static final int LIMIT = 16 * 1024 * 1024;

	private static final byte[] SELF_DESCRIBED = { (byte) 0xd9, (byte) 0xd9, (byte) 0xf7 };

	private final byte[][] json = new byte[EVENTS][];

	private final byte[][] cbor = new byte[EVENTS][];

	private final byte[][] protobuf = new byte[EVENTS][];

	private final CollectionReader<Pod> reader = new CollectionReader<>(
			ServerObjectModule.mapper(JsonMapper.builder().build()).readerFor(Pod.class), Pod.class,
			MetadataAccessor.forType(Pod.class), new ExpectedType(ResourceType.of("v1", "Pod", "pods"), false), LIMIT,
			Schedulers.immediate());

	/** Writes the events in all formats, and how large they are. */
	@Setup
	public void write() {
		JsonMapper mapper = JsonMapper.builder().build();
		CBORMapper cbor = CBORMapper.builder().build();
		int[] index = { 0 };
		Cutting.cut(new WatchFramer(LIMIT), new Chunk(), Pods.watch(EVENTS), (frame) -> {
			Frame copy = Cutting.copy(frame);
			JsonNode tree = mapper.readTree(copy.bytes());
			this.cbor[index[0]] = concatenated(SELF_DESCRIBED, cbor.writeValueAsBytes(tree));
			this.json[index[0]++] = concatenated(copy.bytes(), new byte[] { '\n' });
		});
		Dataset pods = new Dataset(Kind.PODS, EVENTS, 0).in(new ProtobufEncoding());
		for (int i = 0; i < EVENTS; i++) {
			ByteBuffer frame = ByteBuffer.allocate(pods.frameLength(i, false));
			pods.frame(frame, i, false, 0);
			this.protobuf[i] = frame.array();
		}
		System.out.printf("# Bytes of an event: %d in JSON, %d in CBOR, %d in protobuf%n", size(this.json),
				size(this.cbor), size(this.protobuf));
	}

	private static long size(byte[][] events) {
		return Stream.of(events).mapToLong((event) -> event.length).sum() / events.length;
	}

	private static byte[] concatenated(byte[] first, byte[] second) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		all.writeBytes(first);
		all.writeBytes(second);
		return all.toByteArray();
	}

	/**
	 * JSON.
	 * @param blackhole takes the events
	 */
	@Benchmark
	@OperationsPerInvocation(EVENTS)
	public void json(Blackhole blackhole) {
		read(ObjectFormat.JSON, this.json, blackhole);
	}

	/**
	 * CBOR.
	 * @param blackhole takes the events
	 */
	@Benchmark
	@OperationsPerInvocation(EVENTS)
	public void cbor(Blackhole blackhole) {
		read(ObjectFormat.CBOR, this.cbor, blackhole);
	}

	/**
	 * Protobuf.
	 * @param blackhole takes the events
	 */
	@Benchmark
	@OperationsPerInvocation(EVENTS)
	public void protobuf(Blackhole blackhole) {
		read(ObjectFormat.PROTOBUF, this.protobuf, blackhole);
	}

	private void read(ObjectFormat format, byte[][] events, Blackhole blackhole) {
		Flux<DataBuffer> body = Flux.fromArray(events).map(DefaultDataBufferFactory.sharedInstance::wrap);
		this.reader.events(new Answer(format, () -> Unpacking.NONE, body, (frames) -> {
		}), false, null, RequestListener.NONE).subscribe(blackhole::consume);
	}

}
