package dev.reflector.model;

import java.util.List;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.slf4j.LoggerFactory;

/**
 * Hears what Netty's leak detector reports.
 */
final class LeakWatch implements AutoCloseable {

	private static final int COLLECTIONS = 5;

	private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);

	private final ListAppender<ILoggingEvent> reports = new ListAppender<>();

	LeakWatch() {
		this.reports.start();
		this.logger.addAppender(this.reports);
		// whoever watches says it
		this.logger.setAdditive(false);
	}

	/** Has lost buffers found: they are reported when another is allocated after. */
	List<String> reports() throws InterruptedException {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
			Thread.sleep(20);
			ByteBufAllocator.DEFAULT.heapBuffer().release();
			ByteBufAllocator.DEFAULT.directBuffer().release();
		}
		return List.copyOf(this.reports.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	@Override
	public void close() {
		this.logger.setAdditive(true);
		this.logger.detachAppender(this.reports);
	}

}
