package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps the log short when a listener fails again and again: the same stack trace is
 * shown once a minute at most, with the number of times it was left out. Safe for use by
 * several threads.
 *
 * @since 0.1.0
 */
public final class SeldomTraces {

	private static final long DISTANCE = Duration.ofMinutes(1).toNanos();

	/** How many different traces are remembered. */
	private static final int KNOWN = 100;

	private final TimeSource time;

	private final Map<Integer, Shown> shown = new LinkedHashMap<>();

	/**
	 * Creates it, with nothing shown yet.
	 * @param time tells when a minute is over
	 */
	public SeldomTraces(TimeSource time) {
		this.time = time;
	}

	/**
	 * Logs a failure, with its stack trace unless that was shown only just now.
	 * @param line the line, complete except for its text
	 * @param failure the failure
	 * @param format the text with a pair of braces for each argument; what failed is
	 * added to it
	 * @param arguments what stands in place of the braces
	 */
	public void log(LoggingEventBuilder line, Throwable failure, String format, Object... arguments) {
		long leftOut = next(failure);
		for (Object argument : arguments) {
			line = line.addArgument(argument);
		}
		((leftOut < 0) ? line : line.setCause(failure)).addArgument(PrintableText.of(failure))
			.addArgument(remark(leftOut))
			.log(format + ": {}{}");
	}

	private static String remark(long leftOut) {
		if (leftOut < 0) {
			return " (the same stack trace was logged less than a minute ago)";
		}
		return (leftOut > 0) ? " (the same stack trace was left out " + leftOut + " times)" : "";
	}

	/**
	 * Records a failure.
	 * @param failure the failure
	 * @return how often its stack trace was left out since it was shown, or -1 when it is
	 * to be left out now
	 */
	synchronized long next(Throwable failure) {
		long now = this.time.nanoTime();
		int trace = trace(failure);
		Shown before = this.shown.get(trace);
		if (before != null && now - before.at() < DISTANCE) {
			this.shown.put(trace, new Shown(before.at(), before.leftOut() + 1));
			return -1;
		}
		if (before == null && this.shown.size() == KNOWN) {
			this.shown.remove(this.shown.keySet().iterator().next());
		}
		this.shown.put(trace, new Shown(now, 0));
		return (before != null) ? before.leftOut() : 0;
	}

	private static int trace(Throwable failure) {
		Throwable root = failure;
		// a cause may have itself as its cause
		for (int depth = 0; depth < KNOWN && root.getCause() != null; depth++) {
			root = root.getCause();
		}
		// frames of reflection and of this engine may differ for the same failure
		List<StackTraceElement> places = Arrays.stream(root.getStackTrace())
			.filter((frame) -> !frame.getClassName().matches("(java|jdk|dev\\.reflector\\.cache)\\..*"))
			.toList();
		return 31 * root.getClass().hashCode() + places.hashCode();
	}

	/** When a stack trace was shown, and how often it was left out since. */
	private record Shown(long at, long leftOut) {

	}

}
