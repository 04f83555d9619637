package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Waits for the reflectors to sync before any other runner: until then the port is open
 * and the application live, but not ready. After the timeout the application goes on
 * without; health tells which reflectors are not there yet.
 */
final class ReflectorStartupRunner implements ApplicationRunner, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorStartupRunner.class);

	private static final long POLL_MILLIS = 20;

	private final Supplier<List<ManagedReflector>> started;

	private final Supplier<ReflectorProperties.Startup> properties;

	private final ApplicationStartup startup;

	/**
	 * Makes one.
	 * @param started the reflectors that have been started
	 * @param properties whether to wait, and how long; asked when there are any
	 * @param startup records the step
	 */
	ReflectorStartupRunner(Supplier<List<ManagedReflector>> started, Supplier<ReflectorProperties.Startup> properties,
			ApplicationStartup startup) {
		this.started = started;
		this.properties = properties;
		this.startup = startup;
	}

	@Override
	public void run(ApplicationArguments args) throws InterruptedException {
		if (this.started.get().isEmpty()) {
			return;
		}
		ReflectorProperties.Startup properties = this.properties.get();
		if (!properties.waitForSync()) {
			return;
		}
		StartupStep step = this.startup.start("reflector.wait-for-sync");
		try {
			List<Reflector<?>> missing = await(properties.timeout());
			step.tag("missing", () -> missing.stream().map(Reflector::name).collect(Collectors.joining(",")));
			if (!missing.isEmpty()) {
				warn(missing, properties.timeout());
			}
		}
		finally {
			step.end();
		}
	}

	private List<Reflector<?>> await(Duration timeout) throws InterruptedException {
		long start = System.nanoTime();
		List<Reflector<?>> missing = missing();
		while (!missing.isEmpty() && System.nanoTime() - start < timeout.toNanos()) {
			// a Reflector, which may be the application's own, has no signal to wait for
			Thread.sleep(POLL_MILLIS);
			missing = missing();
		}
		return missing;
	}

	private List<Reflector<?>> missing() {
		return this.started.get()
			.stream()
			.<Reflector<?>>map(ManagedReflector::reflector)
			.filter((reflector) -> !reflector.hasSynced())
			.toList();
	}

	private static void warn(List<Reflector<?>> missing, Duration timeout) {
		logger.warn("Reflectors that have not synced within {} ('reflector.startup.timeout'), going on without: {}",
				text(timeout),
				missing.stream().map(ReflectorStartupRunner::describe).collect(Collectors.joining(", ")));
	}

	private static String text(Duration duration) {
		return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
	}

	private static String describe(Reflector<?> reflector) {
		ReflectorStatus.LastError error = reflector.status().lastError();
		return reflector.name()
				+ " (" + reflector.state() + ", " + ((error != null)
						? "last error: " + error.status() + " " + error.reason() + ": " + error.message() : "no error")
				+ ")";
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
