package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Waits until all started reflectors have synced, as a step of the start of the
 * application.
 */
final class SyncWait {

	private static final Logger logger = LoggerFactory.getLogger(SyncWait.class);

	private static final long POLL_MILLIS = 20;

	/** Time to wait before the log names the reflectors that have not synced. */
	private static final Duration UNEXPLAINED = Duration.ofSeconds(1);

	private final Supplier<List<ManagedReflector>> started;

	private final ApplicationStartup startup;

	private final Duration unexplained;

	/**
	 * Creates a wait.
	 * @param started supplies the started reflectors, none after a stop
	 * @param startup records the wait as a step of the start
	 */
	SyncWait(Supplier<List<ManagedReflector>> started, ApplicationStartup startup) {
		this(started, startup, UNEXPLAINED);
	}

	/**
	 * Creates a wait.
	 * @param started supplies the started reflectors, none after a stop
	 * @param startup records the wait as a step of the start
	 * @param unexplained the time to wait before the log names the reflectors that have
	 * not synced
	 */
	SyncWait(Supplier<List<ManagedReflector>> started, ApplicationStartup startup, Duration unexplained) {
		this.started = started;
		this.startup = startup;
		this.unexplained = unexplained;
	}

	/**
	 * Waits until all reflectors have synced, or until a time has passed.
	 * @param timeout the longest time to wait
	 * @return the reflectors that have not synced, sorted by name
	 * @throws InterruptedException when the thread is interrupted
	 */
	List<Reflector<?>> await(Duration timeout) throws InterruptedException {
		StartupStep step = this.startup.start("reflector.wait-for-sync");
		try {
			List<Reflector<?>> missing = poll(timeout);
			step.tag("missing", () -> missing.stream().map(Reflector::name).collect(Collectors.joining(",")));
			return missing;
		}
		finally {
			step.end();
		}
	}

	private List<Reflector<?>> poll(Duration timeout) throws InterruptedException {
		long start = System.nanoTime();
		boolean explained = false;
		List<Reflector<?>> missing = missing();
		while (!missing.isEmpty() && System.nanoTime() - start < timeout.toNanos()) {
			if (!explained && System.nanoTime() - start >= this.unexplained.toNanos()) {
				explained = true;
				logger.info("The start waits up to {} ('reflector.startup.timeout') for the first sync of {}",
						text(timeout), describe(missing));
			}
			// the state is polled: a reflector may be an implementation of the
			// application, and the interface has no event for a sync
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
			.sorted(Comparator.comparing(Reflector::name))
			.toList();
	}

	/** Describes what keeps the reflectors from syncing, human-readable. */
	static String describe(List<Reflector<?>> missing) {
		return missing.stream().map(SyncWait::describe).collect(Collectors.joining(", "));
	}

	private static String describe(Reflector<?> reflector) {
		ReflectorStatus.LastError error = reflector.status().lastError();
		ReflectorStatus.Durability snapshot = reflector.durability();
		if (error == null && snapshot != null) {
			// if the snapshot cannot be read, the reflector has sent no request yet, so
			// the error of the snapshot is shown
			error = snapshot.lastError();
		}
		return reflector.name() + " (" + reflector.state() + ", "
				+ ((error != null) ? "last error: " + ((error.status() != 0) ? error.status() + " " : "")
						+ error.reason() + ": " + error.message() : "no error")
				+ ")";
	}

	static String text(Duration duration) {
		return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
	}

}
