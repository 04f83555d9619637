package dev.reflector.benchmark.scaling;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;

/**
 * Processor time of this process.
 */
final class Processor {

	private static final long WAIT_MILLIS = 100;

	private static final int MOST_WAITS = 50;

	private Processor() {
	}

	/** Returns the processor time used so far, in nanoseconds. */
	static long used() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	/**
	 * Waits until there is next to nothing to do, for a few seconds at most: what a start
	 * has left to the compiler is no part of what comes after it.
	 */
	static void settle() {
		try {
			for (int i = 0; i < MOST_WAITS; i++) {
				long before = used();
				TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
				if (used() - before < TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS) / 10) {
					return;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
