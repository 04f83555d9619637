package dev.reflector.cache.internal.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceKey;
import dev.reflector.benchmark.micro.Pods;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.source.MetadataAccessor;
import org.jspecify.annotations.Nullable;
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
 * The mirror, per object, with no index but that by namespace, or with one on a label.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class StoreBenchmark {

	private static final int OBJECTS = 10_000;

	private final MetadataAccessor<Pod> accessor = MetadataAccessor.forType(Pod.class);

	private final Map<ResourceKey, Pod> pods = new LinkedHashMap<>();

	/** The number of indexes in addition to the one by namespace. */
	@Param({ "0", "1" })
	public int indexes;

	private Indexer<Pod> mirror = empty();

	/** Fills the mirror. */
	@Setup
	public void fill() {
		Pods.objects(OBJECTS).forEach((pod) -> this.pods.put(this.accessor.key(pod), pod));
		this.mirror = empty();
		this.mirror.replace(this.pods, List.of(), "1");
	}

	private Indexer<Pod> empty() {
		IndexFunction<Pod> app = (pod) -> {
			Map<String, String> labels = pod.metadata().labels();
			return (labels != null) ? List.of(Objects.requireNonNull(labels.get("app"))) : List.of();
		};
		Indexer<Pod> mirror = new Indexer<>(this.accessor, () -> {
			throw new IllegalStateException("the index failed");
		}, List.of());
		mirror.addIndexers((this.indexes > 0) ? Map.of("app", app) : Map.of());
		return mirror;
	}

	/**
	 * Changes, one by one.
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void put() {
		this.pods.forEach(this.mirror::put);
	}

	/**
	 * A complete state at once.
	 * @return the mirror
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public Indexer<Pod> replace() {
		Indexer<Pod> mirror = empty();
		mirror.replace(this.pods, List.of(), "1");
		return mirror;
	}

	/**
	 * Reads by key.
	 * @param blackhole takes the objects
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void get(Blackhole blackhole) {
		for (ResourceKey key : this.pods.keySet()) {
			@Nullable Pod pod = this.mirror.get(key);
			blackhole.consume(pod);
		}
	}

	/**
	 * Reads everything.
	 * @return everything
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public List<Pod> list() {
		return this.mirror.list();
	}

}
