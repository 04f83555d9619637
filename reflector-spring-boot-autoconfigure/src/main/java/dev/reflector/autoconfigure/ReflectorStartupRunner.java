package dev.reflector.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.metrics.ApplicationStartup;

/**
 * Waits for the reflectors to sync before any other runner: until then the port is open
 * and the application live, but not ready. After the timeout the application goes on
 * without; health tells which reflectors are not there yet. With a {@link StrictStart}
 * there is nothing left to wait for.
 */
final class ReflectorStartupRunner implements ApplicationRunner, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorStartupRunner.class);

	private final Supplier<List<ManagedReflector>> started;

	private final Supplier<ReflectorProperties.Startup> properties;

	private final SyncWait wait;

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
		this.wait = new SyncWait(started, startup);
	}

	@Override
	public void run(ApplicationArguments args) throws InterruptedException {
		if (this.started.get().isEmpty()) {
			return;
		}
		ReflectorProperties.Startup properties = this.properties.get();
		if (!properties.waitForSync() || properties.strict()) {
			return;
		}
		List<Reflector<?>> missing = this.wait.await(properties.timeout());
		if (!missing.isEmpty()) {
			logger.warn("Reflectors that have not synced within {} ('reflector.startup.timeout'), going on without: {}",
					SyncWait.text(properties.timeout()), SyncWait.describe(missing));
		}
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
