package dev.reflector.cache;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the log short when a listener fails again and again: the same stack trace is
 * shown once a minute at most, with the number of times it was left out. Safe for use by
 * several threads.
 */
final class SeldomTraces {

	private static final long DISTANCE = Duration.ofMinutes(1).toNanos();

	/** How many different ones are kept in mind. */
	private static final int KNOWN = 100;

	private final TimeSource time;

	private final Map<Integer, Shown> shown = new LinkedHashMap<>();

	SeldomTraces(TimeSource time) {
		this.time = time;
	}

	/**
	 * Takes note of a failure.
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
		// how a method is called by reflection, or told of a change, may differ
		List<StackTraceElement> places = Arrays.stream(root.getStackTrace())
			.filter((frame) -> !frame.getClassName().matches("(java|jdk|dev\\.reflector\\.cache)\\..*"))
			.toList();
		return 31 * root.getClass().hashCode() + places.hashCode();
	}

	/** When a stack trace was shown, and how often it was left out since. */
	private record Shown(long at, long leftOut) {

	}

}
