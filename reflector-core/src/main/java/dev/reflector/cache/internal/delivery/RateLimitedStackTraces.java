package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps the log short when a listener fails repeatedly. Among failures with the same
 * stack trace, each of the first three gets its own log line, but only the first line
 * contains the stack trace. All further failures within a minute get one common line at
 * the end of that minute. The same applies to each following minute with failures.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class RateLimitedStackTraces {

	private static final Duration DISTANCE = Duration.ofMinutes(1);

	/** The number of failures with the same stack trace that get their own line. */
	private static final int LINES = 3;

	/** The largest number of different traces that are remembered. */
	private static final int KNOWN = 100;

	private final TimeSource time;

	private final Map<Integer, Repeated> known = new LinkedHashMap<>();

	/**
	 * Creates an instance that has logged nothing yet.
	 * @param time source of time
	 */
	public RateLimitedStackTraces(TimeSource time) {
		this.time = time;
	}

	/**
	 * Logs a failure, at once or together with others at the end of the minute.
	 * @param line the log line, complete except for its text
	 * @param failure the failure
	 * @param format the text, with a pair of braces for each argument; the failure is
	 * appended to the text
	 * @param arguments the values that replace the braces
	 */
	public void log(LoggingEventBuilder line, Throwable failure, String format, Object... arguments) {
		Line whole = new Line(line, failure, format, arguments);
		int number = add(trace(failure), whole);
		if (number == 1) {
			whole.write(true, "");
		}
		else if (number <= LINES) {
			whole.write(false, " (the same stack trace was logged less than a minute ago)");
		}
	}

	/** Logs at once the failures that would be logged at the end of their minute. */
	public void flush() {
		List<Repeated> all;
		synchronized (this) {
			all = new ArrayList<>(this.known.values());
		}
		all.forEach(this::sum);
	}

	/**
	 * Counts a failure.
	 * @return the number of the failure's own line, or more than {@link #LINES} if it
	 * gets none
	 */
	private synchronized int add(int trace, Line line) {
		long now = this.time.nanoTime();
		Repeated repeated = this.known.get(trace);
		if (repeated == null || (repeated.last == null && now - repeated.since >= DISTANCE.toNanos())) {
			if (repeated == null && this.known.size() == KNOWN) {
				this.known.remove(this.known.keySet().iterator().next());
			}
			repeated = new Repeated(now);
			this.known.put(trace, repeated);
		}
		if (repeated.lines < LINES) {
			return ++repeated.lines;
		}
		repeated.last = line;
		if (++repeated.leftOut == 1) {
			Repeated waiting = repeated;
			repeated.cancel = this.time.schedule(DISTANCE.minusNanos(now - repeated.since), () -> sum(waiting));
		}
		return LINES + 1;
	}

	/** Logs one line for all failures that have not been logged yet. */
	private void sum(Repeated repeated) {
		Line last;
		long count;
		synchronized (this) {
			last = repeated.last;
			count = repeated.leftOut;
			repeated.last = null;
			repeated.leftOut = 0;
			repeated.since = this.time.nanoTime();
			repeated.cancel.run();
		}
		if (last != null) {
			last.write(true,
					(count > 1) ? " (" + count + " such failures within a minute, of which this is the last)" : "");
		}
	}

	private static int trace(Throwable failure) {
		Throwable root = failure;
		// limited, because causes may form a cycle
		for (int depth = 0; depth < KNOWN && root.getCause() != null; depth++) {
			root = root.getCause();
		}
		// frames of reflection and of this engine may differ for the same failure
		List<StackTraceElement> places = Arrays.stream(root.getStackTrace())
			.filter((frame) -> !frame.getClassName().matches("(java|jdk|dev\\.reflector\\.cache)\\..*"))
			.toList();
		return 31 * root.getClass().hashCode() + places.hashCode();
	}

	/** The failures with the same stack trace. */
	private static final class Repeated {

		private long since;

		private int lines;

		private long leftOut;

		/** The last failure that was not logged yet, or {@code null}. */
		private @Nullable Line last;

		/** Cancels the task that logs the last failure at the end of the minute. */
		private Runnable cancel = () -> {
		};

		Repeated(long since) {
			this.since = since;
		}

	}

	/** A line of the log that is not written yet. */
	private record Line(LoggingEventBuilder start, Throwable failure, String format, Object[] arguments) {

		void write(boolean withTrace, String remark) {
			LoggingEventBuilder line = this.start;
			for (Object argument : this.arguments) {
				line = line.addArgument(argument);
			}
			(withTrace ? line.setCause(this.failure) : line).addArgument(PrintableText.of(this.failure))
				.addArgument(remark)
				.log(this.format + ": {}{}");
		}

	}

}
