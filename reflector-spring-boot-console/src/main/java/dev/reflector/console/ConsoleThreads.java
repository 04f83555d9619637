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
 * Threads of the console alone, bounded in number, which end when they are idle. Work for
 * a page takes no thread from the application or from reflectors.
 */
final class ConsoleThreads {

	private static final int ANSWERING = 4;

	/** Requests beyond them are refused. */
	private static final int MOST_WAITING = 1000;

	private static final long IDLE_SECONDS = 10;

	private ConsoleThreads() {
	}

	/** A few threads that answer requests. */
	static Scheduler answering() {
		return threads("reflector-console-answer-", ANSWERING, new LinkedBlockingQueue<>(MOST_WAITING));
	}

	/**
	 * Threads that write to open streams. With Spring MVC, one whose reader does not read
	 * holds its thread, so there is one for each that may be open.
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
