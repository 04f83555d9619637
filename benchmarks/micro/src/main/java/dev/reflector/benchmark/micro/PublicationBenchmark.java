package dev.reflector.benchmark.micro;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceKey;
import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.event.ReflectorEventListenerFactory;
import dev.reflector.event.ReflectorEventPublisher;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

/**
 * A change published to listeners of an application context.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class PublicationBenchmark {

	private static final DeliveryPolicy POLICY = new DeliveryPolicy(DeliveryPolicy.OnError.LOG, 1,
			Duration.ofSeconds(1), 2, Duration.ofSeconds(30));

	private final Pod pod = Pods.objects(1).get(0);

	private final Change<Pod> change = new Change<>(Change.Type.UPDATED, ResourceKey.of("team-0", "pod"), this.pod,
			this.pod, "1", false, false, Change.Cause.WATCH);

	private final IdleReflector reflector = new IdleReflector();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final ReflectorEventPublisher<Pod> publisher = new ReflectorEventPublisher<>(Pod.class, this.reflector,
			this.context, POLICY, new SystemTimeSource());

	/** How many listeners receive the change; as many receive another type of event. */
	@Param({ "1", "10" })
	public int listeners;

	private int heard;

	/** Starts the context. */
	@Setup
	public void start() {
		for (int i = 0; i < this.listeners; i++) {
			this.context.registerBean("pods" + i, PodListener.class, () -> new PodListener(this));
			this.context.registerBean("texts" + i, TextListener.class, TextListener::new);
		}
		// as in every application with reflectors
		this.context.registerBean(ReflectorEventListenerFactory.class, ReflectorEventListenerFactory::new);
		this.context.refresh();
	}

	/** Stops the context. */
	@TearDown
	public void stop() {
		this.context.close();
	}

	/**
	 * Publishes.
	 * @return how many listeners have been called
	 */
	@Benchmark
	public int publish() {
		this.publisher.onChange(this.change);
		return this.heard;
	}

	/**
	 * Receives changes.
	 *
	 * @param benchmark counts the calls
	 */
	record PodListener(PublicationBenchmark benchmark) {

		@EventListener
		void on(ResourceUpdatedEvent<Pod> event) {
			this.benchmark.heard++;
		}

	}

	/** Never called: no event has this type. */
	static final class TextListener {

		@EventListener
		void on(ResourceEvent<String> event) {
			throw new IllegalStateException("not for this listener: " + event);
		}

	}

}
