package dev.reflector.console;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Threads that only the console uses, so that work for the web page takes no thread from
 * the application or from reflectors. Their number is limited, and idle threads end.
 */
final class ConsoleThreads {

	private static final int ANSWERING = 4;

	/** Number of requests that may wait for a thread. Further requests are refused. */
	private static final int MOST_WAITING = 1000;

	private static final long IDLE_SECONDS = 10;

	private ConsoleThreads() {
	}

	/** Returns a scheduler with a few threads that answer requests. */
	static Scheduler answering() {
		return threads("reflector-console-answer-", ANSWERING, new LinkedBlockingQueue<>(MOST_WAITING));
	}

	/**
	 * Returns a scheduler with threads that write to open streams. With Spring MVC, a
	 * stream whose reader does not read blocks its thread, so there is one thread for
	 * each possible stream.
	 */
	static Scheduler streaming() {
		return threads("reflector-console-stream-", OpenStreams.MOST, new SynchronousQueue<>());
	}

	private static Scheduler threads(String prefix, int most, BlockingQueue<Runnable> queue) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(prefix);
		factory.setDaemon(true);
		boolean waits = queue.remainingCapacity() > 0;
		ThreadPoolExecutor threads = new ThreadPoolExecutor(waits ? most : 0, most, IDLE_SECONDS, TimeUnit.SECONDS,
				queue, factory);
		threads.allowCoreThreadTimeOut(waits);
		return Schedulers.fromExecutorService(threads);
	}

}
