package dev.reflector.benchmark.client;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures what many mirrors without objects take while nothing happens but a bookmark
 * now and then. Prints lines {@code name=value}; the last one is {@code complete=true}.
 */
public final class IdleRun {

	private static final long POLL_MILLIS = 100;

	private static final long SETTLE_MILLIS = TimeUnit.SECONDS.toMillis(10);

	private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private IdleRun() {
	}

	/**
	 * Measures, and ends the process.
	 * @param server where the server is
	 * @param mirrors how many mirrors
	 * @param seconds how long nothing happens
	 * @param start starts the mirrors
	 */
	public static void main(URI server, int mirrors, int seconds, Start start) {
		int status = 1;
		try {
			ServerControl control = new ServerControl(server);
			control.call("reset?visible=0");
			start.run();
			long deadline = System.nanoTime() + DEADLINE_NANOS;
			while (Integer.parseInt(control.report("watches")) < mirrors) {
				if (System.nanoTime() > deadline) {
					throw new IllegalStateException("only " + control.report("watches") + " watches are open");
				}
				TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
			}
			TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
			// without the thread that samples what is allocated, which is not idle
			com.sun.management.OperatingSystemMXBean system = (com.sun.management.OperatingSystemMXBean) ManagementFactory
				.getOperatingSystemMXBean();
			long before = system.getProcessCpuTime();
			TimeUnit.SECONDS.sleep(seconds);
			double cpu = system.getProcessCpuTime() - before;
			print("idle.cpuMillisPerSecond", cpu / 1e6 / seconds);
			print("idle.platformThreads", ManagementFactory.getThreadMXBean().getThreadCount());
			print("idle.heapBytes", retained());
			System.out.println("complete=true");
			status = 0;
		}
		catch (Throwable ex) {
			System.err.println(ex);
		}
		System.out.flush();
		Runtime.getRuntime().halt(status);
	}

	private static long retained() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 4; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

	private static void print(String name, double value) {
		System.out.println(name + "=" + String.format(Locale.ROOT, "%.6f", value));
	}

	/** Starts mirrors. */
	@FunctionalInterface
	public interface Start {

		/**
		 * Starts them.
		 * @throws Exception when they cannot start
		 */
		void run() throws Exception;

	}

}
