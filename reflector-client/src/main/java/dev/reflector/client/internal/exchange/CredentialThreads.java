package dev.reflector.client.internal.exchange;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads on which one client reads tokens and certificates. They do nothing else,
 * because every request needs a free thread. There are at most {@value #MOST} threads. A
 * thread ends after {@value #IDLE_SECONDS} idle seconds. If the client releases the
 * threads, each thread ends when it has done its remaining work.
 */
final class CredentialThreads extends AbstractExecutorService {

	private static final int MOST = 4;

	private static final long IDLE_SECONDS = 60;

	private final Scheduler scheduler = Schedulers.fromExecutorService(this, "reflector-credentials");

	private final AtomicInteger number = new AtomicInteger();

	private @Nullable ThreadPoolExecutor pool;

	Scheduler scheduler() {
		return this.scheduler;
	}

	@Override
	public synchronized void execute(Runnable command) {
		ThreadPoolExecutor pool = this.pool;
		if (pool == null) {
			pool = new ThreadPoolExecutor(MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
					this::thread);
			pool.allowCoreThreadTimeOut(true);
			this.pool = pool;
		}
		pool.execute(command);
	}

	private Thread thread(Runnable work) {
		Thread thread = new Thread(work, "reflector-credentials-" + this.number.incrementAndGet());
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Ends the threads when they have done their remaining work. The next request starts
	 * new threads.
	 */
	@Override
	public synchronized void shutdown() {
		if (this.pool != null) {
			this.pool.shutdown();
			this.pool = null;
		}
	}

	@Override
	public List<Runnable> shutdownNow() {
		shutdown();
		return List.of();
	}

	@Override
	public boolean isShutdown() {
		return false;
	}

	@Override
	public boolean isTerminated() {
		return false;
	}

	/** Does not wait for the threads, because a read may never end. */
	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) {
		return false;
	}

}
