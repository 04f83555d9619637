package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.metrics.ApplicationStartup;

/**
 * Waits until the reflectors have synced, before any other runner. While it waits, the
 * port is open and the application is live, but not ready. After the timeout, the
 * application continues, and health shows which reflectors have not synced. After a
 * {@link StrictStart}, this runner does not wait.
 */
public final class ReflectorStartupRunner implements ApplicationRunner, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorStartupRunner.class);

	private final Supplier<List<ManagedReflector>> started;

	private final Supplier<@Nullable Duration> timeout;

	private final SyncWait wait;

	/**
	 * Creates the runner.
	 * @param started supplies the started reflectors; empty after a stop
	 * @param timeout supplies the longest time to wait, or {@code null} to not wait;
	 * called only if there are reflectors
	 * @param startup records the wait as a step of the start
	 */
	public ReflectorStartupRunner(Supplier<List<ManagedReflector>> started, Supplier<@Nullable Duration> timeout,
			ApplicationStartup startup) {
		this.started = started;
		this.timeout = timeout;
		this.wait = new SyncWait(started, startup);
	}

	@Override
	public void run(ApplicationArguments args) throws InterruptedException {
		if (this.started.get().isEmpty()) {
			return;
		}
		Duration timeout = this.timeout.get();
		if (timeout == null) {
			return;
		}
		List<Reflector<?>> missing = this.wait.await(timeout);
		if (!missing.isEmpty()) {
			logger.warn(
					"Some reflectors have not synced within {} ('reflector.startup.timeout'). The application "
							+ "continues, and their mirrors are incomplete: {}",
					SyncWait.text(timeout), SyncWait.describe(missing));
		}
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
