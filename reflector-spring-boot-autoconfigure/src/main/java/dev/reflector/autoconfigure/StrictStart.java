package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

import dev.reflector.Reflector;

import org.springframework.core.metrics.ApplicationStartup;

/**
 * Holds up the start of the application until its reflectors have synced, where that is
 * asked for: what starts after them, such as the web server, finds full mirrors.
 */
final class StrictStart {

	private final Supplier<ReflectorProperties.Startup> properties;

	private final ApplicationStartup startup;

	/**
	 * Makes one.
	 * @param properties whether to wait, and how long
	 * @param startup records the step
	 */
	StrictStart(Supplier<ReflectorProperties.Startup> properties, ApplicationStartup startup) {
		this.properties = properties;
		this.startup = startup;
	}

	/**
	 * Blocks until all reflectors have synced, unless that is not asked for.
	 * @param started the reflectors that have been started, none when they have been
	 * stopped meanwhile
	 * @throws ReflectorSyncTimeoutException when some have not synced in time
	 * @throws InterruptedException when the thread has been interrupted
	 */
	void await(Supplier<List<ManagedReflector>> started) throws InterruptedException {
		ReflectorProperties.Startup properties = this.properties.get();
		if (!properties.waitForSync() || !properties.strict()) {
			return;
		}
		List<Reflector<?>> missing = await(new SyncWait(started, this.startup), properties.timeout());
		if (!missing.isEmpty()) {
			throw new ReflectorSyncTimeoutException(missing, properties.timeout());
		}
	}

	/**
	 * Spring closes a context that is just being started only when its start is over; but
	 * it interrupts a thread that waits without a limit. So this one does, and another
	 * one looks: an application that is told to end meanwhile does so at once.
	 */
	private static List<Reflector<?>> await(SyncWait wait, Duration timeout) throws InterruptedException {
		FutureTask<List<Reflector<?>>> task = new FutureTask<>(() -> wait.await(timeout));
		Thread thread = new Thread(task, "reflector-wait-for-sync");
		thread.setDaemon(true);
		thread.start();
		try {
			return task.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("It cannot be told whether the reflectors have synced", ex.getCause());
		}
		finally {
			task.cancel(true);
		}
	}

}
