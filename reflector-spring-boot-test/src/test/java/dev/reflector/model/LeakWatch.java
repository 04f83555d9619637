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
 * Hears what Netty's leak detector reports, and which errors Reactor finds nobody for. A
 * lost buffer is reported with the history in whose run it was made.
 */
final class LeakWatch implements AutoCloseable {

	/** The second one comes when all that the first has found is known. */
	private static final int COLLECTIONS = 2;

	private static final long PATIENCE_MILLIS = 5000;

	private final List<Logger> loggers = Stream
		.of(ResourceLeakDetector.class.getName(), "reactor.core.publisher.Operators")
		.map((name) -> (Logger) LoggerFactory.getLogger(name))
		.toList();

	private final Reports reports = new Reports();

	private int periods;

	/**
	 * Begins to listen. What others have lost before is reported as if nobody did.
	 */
	LeakWatch() {
		collect();
		begins("no history");
		this.reports.start();
		this.loggers.forEach((logger) -> {
			logger.addAppender(this.reports);
			// whoever watches says it
			logger.setAdditive(false);
		});
	}

	/** Notes what begins: what is lost twice in one period is reported once. */
	void begins(String what) {
		this.periods++;
		NumberedLeakDetector.goesOn("made in period " + this.periods + ", of " + what);
	}

	/** What has been lost since this was asked last. */
	List<String> found() {
		collect();
		begins("what came after period " + this.periods);
		return this.reports.take();
	}

	/** Has lost buffers found: they are reported when another is allocated after. */
	private static void collect() {
		try {
			for (int i = 0; i < COLLECTIONS; i++) {
				ReferenceQueue<Object> queue = new ReferenceQueue<>();
				WeakReference<Object> lost = new WeakReference<>(new Object(), queue);
				System.gc();
				// none comes where the collector does not do as it is told
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
	 * What was logged, as text.
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
