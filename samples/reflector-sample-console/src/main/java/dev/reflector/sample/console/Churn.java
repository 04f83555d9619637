package dev.reflector.sample.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.reflector.test.ResourceCollection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps the embedded server busy with one change in each interval. There are between a
 * few and a few dozen objects.
 */
class Churn implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Churn.class);

	/** Phase before the reflectors, so that there are objects when they start. */
	private static final int PHASE = 0;

	private static final int FEWEST = 5;

	private static final int MOST = 25;

	private final ResourceCollection deployments;

	private final WidgetFactory widgets;

	private final ChurnProperties properties;

	private volatile @Nullable ScheduledExecutorService executor;

	Churn(ResourceCollection deployments, WidgetFactory widgets, ChurnProperties properties) {
		this.deployments = deployments;
		this.widgets = widgets;
		this.properties = properties;
	}

	@Override
	public void start() {
		List.of("api", "web", "worker")
			.forEach((name) -> this.deployments
				.apply(Map.of("metadata", Map.of("name", name), "spec", Map.of("replicas", 3))));
		while (this.widgets.names().size() < FEWEST) {
			this.widgets.create();
		}
		this.widgets.fill(this.properties.objects());
		Duration interval = this.properties.interval();
		if (!interval.isZero()) {
			ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
				Thread thread = new Thread(task, "churn");
				thread.setDaemon(true);
				return thread;
			});
			executor.scheduleWithFixedDelay(this::change, interval.toMillis(), interval.toMillis(),
					TimeUnit.MILLISECONDS);
			this.executor = executor;
		}
	}

	private void change() {
		try {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			List<String> names = this.widgets.names();
			int choice = random.nextInt(10);
			if (choice < 3) {
				String name = List.of("api", "web", "worker").get(random.nextInt(3));
				this.deployments.mergePatch("default", name,
						Map.of("status", Map.of("readyReplicas", random.nextInt(4))));
			}
			else if (names.size() < FEWEST || (choice < 5 && names.size() < MOST)) {
				this.widgets.create();
			}
			else if (names.size() > MOST || choice == 5) {
				this.widgets.delete(names.get(random.nextInt(names.size())));
			}
			else {
				this.widgets.change(names.get(random.nextInt(names.size())));
			}
		}
		catch (RuntimeException ex) {
			logger.warn("A change on the embedded server failed", ex);
		}
	}

	@Override
	public void stop() {
		ScheduledExecutorService executor = this.executor;
		if (executor != null) {
			executor.shutdownNow();
			this.executor = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.executor != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
