package dev.reflector.model;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.slf4j.LoggerFactory;

/**
 * Collects the reports of Netty's leak detector, and the errors that Reactor drops
 * because no subscriber takes them. The report of a lost buffer names the history that
 * has allocated it.
 */
final class LeakWatch implements AutoCloseable {

	/** The second collection reports all leaks that the first one has found. */
	private static final int COLLECTIONS = 2;

	private static final long PATIENCE_MILLIS = 5000;

	private final List<Logger> loggers = Stream
		.of(ResourceLeakDetector.class.getName(), "reactor.core.publisher.Operators")
		.map((name) -> (Logger) LoggerFactory.getLogger(name))
		.toList();

	private final Reports reports = new Reports();

	private int periods;

	/**
	 * Begins to listen. Buffers that were lost before are reported to the log as usual.
	 */
	LeakWatch() {
		collect();
		begins("no history");
		this.reports.start();
		this.loggers.forEach((logger) -> {
			logger.addAppender(this.reports);
			// the user of this class reports the leaks
			logger.setAdditive(false);
		});
	}

	/** Begins a period. Equal leaks within one period are reported once. */
	void begins(String what) {
		this.periods++;
		NumberedLeakDetector.goesOn("made in period " + this.periods + ", of " + what);
	}

	/** The leaks since the last call. */
	List<String> found() {
		collect();
		begins("what came after period " + this.periods);
		return this.reports.take();
	}

	/**
	 * Makes Netty find lost buffers: it reports them at the next allocation after a
	 * collection.
	 */
	private static void collect() {
		try {
			for (int i = 0; i < COLLECTIONS; i++) {
				ReferenceQueue<Object> queue = new ReferenceQueue<>();
				WeakReference<Object> lost = new WeakReference<>(new Object(), queue);
				System.gc();
				// nothing is enqueued when the JVM ignores System.gc()
				queue.remove(PATIENCE_MILLIS);
				lost.clear();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		ByteBufAllocator.DEFAULT.heapBuffer().release();
		ByteBufAllocator.DEFAULT.directBuffer().release();
	}

	@Override
	public void close() {
		this.loggers.forEach((logger) -> {
			logger.setAdditive(true);
			logger.detachAppender(this.reports);
		});
	}

	/**
	 * Collects the log as text.
	 */
	private static final class Reports extends AppenderBase<ILoggingEvent> {

		private final List<String> all = new ArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			String text = event.getFormattedMessage() + ((event.getThrowableProxy() != null)
					? ThrowableProxyUtil.asString(event.getThrowableProxy()) : "");
			synchronized (this.all) {
				this.all.add(text);
			}
		}

		List<String> take() {
			synchronized (this.all) {
				List<String> taken = List.copyOf(this.all);
				this.all.clear();
				return taken;
			}
		}

	}

}
