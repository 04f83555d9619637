package dev.reflector.benchmark.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/**
 * Reads what the process has used. Allocated bytes are the sum of all threads, as the JVM
 * counts them. Threads are sampled so often that few bytes are missed when a thread ends.
 */
final class Meter {

	private static final long SAMPLE_MILLIS = 50;

	private static final long WAIT_MILLIS = 100;

	private static final int MOST_WAITS = 50;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

	private final Map<Long, Long> allocated = new HashMap<>();

	private final long self;

	Meter() {
		Thread sampler = new Thread(this::sample, "benchmark-meter");
		sampler.setDaemon(true);
		sampler.start();
		this.self = sampler.getId();
	}

	private void sample() {
		try {
			while (true) {
				allocated();
				TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized long allocated() {
		long[] ids = this.threads.getAllThreadIds();
		long[] bytes = this.threads.getThreadAllocatedBytes(ids);
		for (int i = 0; i < ids.length; i++) {
			if (bytes[i] >= 0 && ids[i] != this.self) {
				this.allocated.put(ids[i], bytes[i]);
			}
		}
		return this.allocated.values().stream().mapToLong(Long::longValue).sum();
	}

	Reading read() {
		return new Reading(System.nanoTime(), this.system.getProcessCpuTime(), allocated());
	}

	/**
	 * Processor time of the threads of the program, which are there now.
	 * @return nanoseconds by name of the thread, without its numbers
	 */
	Map<String, Long> cpuByThread() {
		Map<String, Long> times = new TreeMap<>();
		for (ThreadInfo info : this.threads.getThreadInfo(this.threads.getAllThreadIds())) {
			if (info != null) {
				times.merge(info.getThreadName().replaceAll("[-#]?\\d+", ""),
						Math.max(0, this.threads.getThreadCpuTime(info.getThreadId())), Long::sum);
			}
		}
		return times;
	}

	/**
	 * Returns the processor time of all threads of the process, including those of the
	 * JVM.
	 * @return nanoseconds by name of the thread, without its numbers; empty if the system
	 * does not report them
	 */
	static Map<String, Long> allThreads() {
		Map<String, Long> times = new TreeMap<>();
		try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
			for (Path task : tasks) {
				addThread(task, times);
			}
		}
		catch (IOException ex) {
			return Map.of();
		}
		return times;
	}

	private static void addThread(Path task, Map<String, Long> times) {
		try {
			String name = Files.readString(task.resolve("comm")).strip().replaceAll("([-#]+\\d+|\\d+$)", "");
			String nanos = Files.readString(task.resolve("schedstat")).split(" ")[0];
			times.merge(name, Long.valueOf(nanos), Long::sum);
		}
		catch (IOException ex) {
			// it has ended
		}
	}

	/**
	 * Waits until the process has next to nothing to do: what a start has left to the
	 * compiler is no part of what comes after it.
	 */
	void settle() {
		try {
			for (int i = 0; i < MOST_WAITS; i++) {
				long before = this.system.getProcessCpuTime();
				TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
				if (this.system.getProcessCpuTime() - before < TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS) / 10) {
					return;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns the peak physical memory of the process.
	 * @return kibibytes, 0 if the system does not report it
	 */
	long peakKibibytes() {
		try {
			return Files.readAllLines(Path.of("/proc/self/status"))
				.stream()
				.filter((line) -> line.startsWith("VmHWM:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.findFirst()
				.orElse(0);
		}
		catch (IOException ex) {
			return 0;
		}
	}

	/**
	 * Returns how much of the heap is in use after a collection of all garbage.
	 * @return bytes
	 */
	long retained() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 4; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

	/**
	 * The resources used up to a time.
	 *
	 * @param nanos the time
	 * @param cpu processor time of the process
	 * @param allocated bytes allocated
	 */
	record Reading(long nanos, long cpu, long allocated) {

		double cpuSecondsSince(Reading earlier) {
			return (this.cpu - earlier.cpu) / 1e9;
		}

		long allocatedSince(Reading earlier) {
			return this.allocated - earlier.allocated;
		}

	}

}
