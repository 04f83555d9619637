package dev.reflector.autoconfigure.internal.lifecycle;

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
 * Starts all reflectors before the web server, and stops them after the web server has
 * answered its last request, so that requests can always read the mirrors. All reflectors
 * stop at the same time.
 */
public final class ReflectorLifecycle implements SmartLifecycle, DisposableBean {

	/** Name of the bean. The bean exists unless reflectors are switched off. */
	public static final String BEAN_NAME = "reflectorLifecycle";

	/**
	 * Phase of the reflectors: before the web server (MAX - 2048) and its graceful
	 * shutdown (MAX - 1024).
	 */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	/** Spring's default timeout for a phase at shutdown. */
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
	 * Creates a lifecycle that is not running.
	 * @param source supplies the reflectors to start
	 * @param keepAlive whether reflectors alone keep the application running; called only
	 * if there are reflectors
	 * @param strict makes a strict start wait until the reflectors have synced
	 * @param afterStop runs when all reflectors have stopped, if there were any
	 */
	public ReflectorLifecycle(Supplier<List<ManagedReflector>> source, BooleanSupplier keepAlive, StrictStart strict,
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

	/**
	 * Waits for the first sync if the start is strict. If the wait fails, stops all
	 * reflectors, so that the context can be started again.
	 */
	private void awaitSync() {
		try {
			this.strict.await(this::started);
		}
		catch (InterruptedException ex) {
			giveUp();
			// the interrupt is not restored, because other beans might not stop properly
			// in an interrupted thread
			throw new IllegalStateException("The start was interrupted before the reflectors had synced", ex);
		}
		catch (RuntimeException ex) {
			giveUp();
			throw ex;
		}
	}

	/**
	 * Stops all reflectors, and waits for a limited time. Without the limit, this could
	 * wait forever: a listener may wait for a bean that starts later, and Spring
	 * interrupts the thread that starts a context only once.
	 */
	private void giveUp() {
		try {
			stopAll().get(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("Reflectors could not be stopped after a failed start", ex);
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

	/**
	 * Ends the thread that keeps the JVM running. {@link #stop()} does not end this
	 * thread, because a stopped context may start again.
	 */
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
	 * Returns the reflectors that have been started.
	 * @return the reflectors, empty while stopped
	 */
	public List<ManagedReflector> started() {
		return this.started;
	}

}
