package dev.reflector.cache.internal.queue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import dev.reflector.ResourceKey;
import dev.reflector.benchmark.micro.Pods;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.internal.store.KnownObjects;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A change through the queue, per change, without a second thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class QueueBenchmark {

	private static final int OBJECTS = 1000;

	private final List<Pod> pods = Pods.objects(OBJECTS);

	/** Order in which changes leave the queue. */
	@Param({ "ARRIVAL", "PER_KEY" })
	public Ordering ordering = Ordering.ARRIVAL;

	/** How many changes are taken together. */
	@Param({ "1", "256" })
	public int batch;

	/**
	 * Adds changes to the queue and takes them out.
	 * @param blackhole takes the changes
	 */
	@Benchmark
	@OperationsPerInvocation(OBJECTS)
	public void changes(Blackhole blackhole) {
		DeltaFifo<Pod> queue = DeltaFifo.create(new QueueSettings(this.ordering, OBJECTS, Overflow.BLOCK),
				MetadataAccessor.forType(Pod.class), new Nothing(), 1);
		this.pods.forEach(queue::update);
		while (queue.size() > 0) {
			queue.pop((deltas, initial) -> blackhole.consume(deltas), this.batch);
		}
	}

	/** A mirror without objects. */
	private static final class Nothing implements KnownObjects<Pod> {

		@Override
		public @Nullable Pod get(ResourceKey key) {
			return null;
		}

		@Override
		public void forEach(BiConsumer<ResourceKey, Pod> action) {
			// there is nothing to visit
		}

	}

}
