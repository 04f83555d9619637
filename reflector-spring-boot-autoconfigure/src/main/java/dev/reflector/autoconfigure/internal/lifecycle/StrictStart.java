package dev.reflector.autoconfigure.internal.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;

import org.springframework.core.metrics.ApplicationStartup;

/**
 * If {@code reflector.startup.strict} is set, makes the start of the application wait
 * until its reflectors have synced. Beans that start later, such as the web server, then
 * find complete mirrors.
 */
public final class StrictStart {

	private final Supplier<@Nullable Duration> timeout;

	private final ApplicationStartup startup;

	/**
	 * Creates a strict start.
	 * @param timeout supplies the longest time to wait, or {@code null} if the start is
	 * not strict
	 * @param startup records the wait as a step of the start
	 */
	public StrictStart(Supplier<@Nullable Duration> timeout, ApplicationStartup startup) {
		this.timeout = timeout;
		this.startup = startup;
	}

	/**
	 * Waits until all reflectors have synced, if the start is strict.
	 * @param started supplies the started reflectors; empty after a stop
	 * @throws ReflectorSyncTimeoutException if some reflectors have not synced in time
	 * @throws InterruptedException if the thread is interrupted
	 */
	void await(Supplier<List<ManagedReflector>> started) throws InterruptedException {
		Duration timeout = this.timeout.get();
		if (timeout == null) {
			return;
		}
		List<Reflector<?>> missing = await(new SyncWait(started, this.startup), timeout);
		if (!missing.isEmpty()) {
			throw new ReflectorSyncTimeoutException(missing, timeout);
		}
	}

	/**
	 * Waits without a time limit, while another thread polls and observes the timeout. If
	 * the application must end during its start, Spring interrupts only a thread that
	 * waits without a time limit.
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
			throw new IllegalStateException("Could not find out whether the reflectors have synced", ex.getCause());
		}
		finally {
			task.cancel(true);
		}
	}

}
