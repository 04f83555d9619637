package dev.reflector.autoconfigure;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts all reflectors before the web server and stops them after its last request has
 * been answered: requests can read the mirrors all the time. Reflectors stop in parallel.
 */
final class ReflectorLifecycle implements SmartLifecycle, DisposableBean {

	/** Name of its bean, which is there unless reflectors are switched off. */
	static final String BEAN_NAME = "reflectorLifecycle";

	/** Before the web server (MAX - 2048) and its graceful shutdown (MAX - 1024). */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	/** What Spring gives a phase at shutdown, by default. */
	private static final long STOP_SECONDS = 30;

	private static final Logger logger = LoggerFactory.getLogger(ReflectorLifecycle.class);

	private final Supplier<List<ManagedReflector>> source;

	private final BooleanSupplier keepAlive;

	private final StrictStart strict;

	private final Runnable afterStop;

	private volatile List<ManagedReflector> started = List.of();

	private volatile boolean running;

	private volatile @Nullable KeepAlive alive;

	/**
	 * Makes one that is not running.
	 * @param source the reflectors to start
	 * @param keepAlive whether the application is to run for their sake alone; asked when
	 * there are any
	 * @param strict holds up each start until the reflectors have synced, where that is
	 * asked for
	 * @param afterStop what to do when all of them have stopped, if there were any
	 */
	ReflectorLifecycle(Supplier<List<ManagedReflector>> source, BooleanSupplier keepAlive, StrictStart strict,
			Runnable afterStop) {
		this.source = source;
		this.keepAlive = keepAlive;
		this.strict = strict;
		this.afterStop = afterStop;
	}

	@Override
	public void start() {
		if (this.running) {
			return;
		}
		this.started = this.source.get();
		this.running = true;
		if (this.alive == null && !this.started.isEmpty() && this.keepAlive.getAsBoolean()) {
			this.alive = KeepAlive.start();
		}
		this.started.forEach((managed) -> managed.starter().run());
		if (!this.started.isEmpty()) {
			awaitSync();
		}
	}

	/** When it fails nothing goes on, so that a context can be restarted once more. */
	private void awaitSync() {
		try {
			this.strict.await(this::started);
		}
		catch (InterruptedException ex) {
			giveUp();
			// the exception tells it: left interrupted, other beans could not stop in
			// peace
			throw new IllegalStateException("The start was interrupted before the reflectors had synced", ex);
		}
		catch (RuntimeException ex) {
			giveUp();
			throw ex;
		}
	}

	/**
	 * Stops all. Never waits without a limit: a listener may be waiting for something
	 * that starts later, and Spring takes a thread that waits again after it has been
	 * interrupted for one that never ends.
	 */
	private void giveUp() {
		try {
			stopAll().get(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("Reflectors could not be stopped after a start that failed", ex);
		}
	}

	@Override
	public void stop() {
		stopAll().join();
	}

	@Override
	public void stop(Runnable callback) {
		stopAll().whenComplete((nothing, failure) -> callback.run());
	}

	private CompletableFuture<Void> stopAll() {
		List<ManagedReflector> stopping = this.started;
		this.started = List.of();
		this.running = false;
		if (stopping.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		return CompletableFuture
			.allOf(stopping.stream().map(ReflectorLifecycle::stop).toArray(CompletableFuture<?>[]::new))
			.whenComplete((nothing, failure) -> this.afterStop.run());
	}

	private static CompletableFuture<Void> stop(ManagedReflector managed) {
		try {
			return managed.stopper().get().toCompletableFuture().exceptionally((failure) -> warn(managed, failure));
		}
		catch (RuntimeException ex) {
			warn(managed, ex);
			return CompletableFuture.completedFuture(null);
		}
	}

	private static Void warn(ManagedReflector managed, Throwable failure) {
		String name = managed.reflector().name();
		logger.atWarn()
			.addKeyValue("reflector", name)
			.setCause(failure)
			.log("Reflector '{}' could not be stopped", name);
		return null;
	}

	/** Until then a context that has been stopped may be started again. */
	@Override
	public void destroy() {
		KeepAlive alive = this.alive;
		if (alive != null) {
			alive.stop();
			this.alive = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * The reflectors that have been started.
	 * @return the reflectors, none while stopped
	 */
	List<ManagedReflector> started() {
		return this.started;
	}

}
