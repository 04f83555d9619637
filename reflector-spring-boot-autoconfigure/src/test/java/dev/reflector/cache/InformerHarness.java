package dev.reflector.cache;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.reflector.ResourceType;
import dev.reflector.cache.ReflectorOptions.InitialList;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An informer over a source that a test plays, in time that a test moves, with notes of
 * what it tells handlers and observers.
 */
final class InformerHarness implements AutoCloseable {

	/** 1, 2, 4, 8, 8, … seconds, without jitter. */
	static final BackoffSettings DELAYS = new BackoffSettings(Duration.ofSeconds(1), Duration.ofSeconds(8), 2, 0,
			Duration.ofMinutes(2));

	final ManualTime time = new ManualTime();

	final List<String> changes = new CopyOnWriteArrayList<>();

	/** Of how many pages each full list was made. */
	final List<Integer> pages = new CopyOnWriteArrayList<>();

	final List<Duration> delays = new CopyOnWriteArrayList<>();

	final AtomicInteger handlerFailures = new AtomicInteger();

	volatile Consumer<Change<Thing>> hook = (change) -> {
	};

	private int passed;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	final SharedInformer<Thing> informer;

	InformerHarness(ListerWatcher<Thing> source, ReflectorOptions options) {
		this.informer = new SharedInformer<>(new SharedInformer.Config<>("things",
				ResourceType.of("example.com/v1", "Thing", "things"), List.of(), source,
				MetadataAccessor.forType(Thing.class), options, Map.of(), List.of(new ResourceEventHandler<Thing>() {
					@Override
					public void onChange(Change<Thing> change) {
						InformerHarness.this.changed(change);
					}
				}), new Notes(), this.time, new Random(1), this.threads));
	}

	static ReflectorOptions.Builder listing() {
		return ReflectorOptions.builder().initialList(InitialList.LIST).backoff(DELAYS).queueCapacity(100);
	}

	static InformerHarness started(ListerWatcher<Thing> source, ReflectorOptions options) {
		InformerHarness harness = new InformerHarness(source, options);
		harness.informer.start();
		return harness;
	}

	private void changed(Change<Thing> change) {
		String sign = switch (change.type()) {
			case ADDED -> "+";
			case UPDATED -> "~";
			case DELETED -> "-";
		};
		this.changes.add(sign + change.object());
		this.hook.accept(change);
	}

	static ConditionFactory soon() {
		return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
	}

	/** Waits until the next attempt is only a matter of time. */
	Duration awaitDelay() {
		soon().until(() -> this.delays.size() == this.passed + 1 && this.informer.status().lastError() != null);
		assertThat(this.time.waiting()).containsExactly(this.delays.get(this.passed));
		return this.delays.get(this.passed);
	}

	void passDelay() {
		passDelay(awaitDelay());
	}

	/** Lets the last part of a delay pass. */
	void passDelay(Duration rest) {
		this.passed++;
		this.time.advance(rest);
	}

	void awaitSynced() {
		soon().until(this.informer::hasSynced);
	}

	@Override
	public void close() {
		try {
			this.informer.stop().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
		}
		finally {
			this.threads.shutdownNow();
		}
	}

	private final class Notes implements ReflectorObserver {

		@Override
		public void listed(Duration duration, int items, int pages) {
			InformerHarness.this.pages.add(pages);
		}

		@Override
		public void backingOff(Duration delay) {
			InformerHarness.this.delays.add(delay);
		}

		@Override
		public void handled(Duration duration, boolean failed) {
			if (failed) {
				InformerHarness.this.handlerFailures.incrementAndGet();
			}
		}

	}

}
