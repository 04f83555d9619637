package dev.reflector.model;

import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.slf4j.LoggerFactory;

/**
 * Hears what Netty's leak detector reports, and which errors Reactor finds nobody for.
 */
final class LeakWatch implements AutoCloseable {

	private static final int COLLECTIONS = 5;

	private final List<Logger> loggers = Stream
		.of(ResourceLeakDetector.class.getName(), "reactor.core.publisher.Operators")
		.map((name) -> (Logger) LoggerFactory.getLogger(name))
		.toList();

	private final ListAppender<ILoggingEvent> reports = new ListAppender<>();

	LeakWatch() {
		this.reports.start();
		this.loggers.forEach((logger) -> {
			logger.addAppender(this.reports);
			// whoever watches says it
			logger.setAdditive(false);
		});
	}

	/** What others have lost before is not to be told. */
	void forget() throws InterruptedException {
		reports();
		this.reports.list.clear();
	}

	/** Has lost buffers found: they are reported when another is allocated after. */
	List<String> reports() throws InterruptedException {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
			// the collector tells nobody when it has found what is lost
			Thread.sleep(20);
			ByteBufAllocator.DEFAULT.heapBuffer().release();
			ByteBufAllocator.DEFAULT.directBuffer().release();
		}
		return List.copyOf(this.reports.list).stream().map(LeakWatch::text).toList();
	}

	private static String text(ILoggingEvent event) {
		return event.getFormattedMessage()
				+ ((event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy()) : "");
	}

	@Override
	public void close() {
		this.loggers.forEach((logger) -> {
			logger.setAdditive(true);
			logger.detachAppender(this.reports);
		});
	}

}
