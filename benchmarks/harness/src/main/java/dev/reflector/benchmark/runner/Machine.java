package dev.reflector.benchmark.runner;

import java.lang.management.ManagementFactory;

import com.sun.management.OperatingSystemMXBean;

/**
 * The kind of the machine, without anything that identifies the machine.
 *
 * @param cores processors
 * @param gibibytes memory
 * @param system operating system and architecture
 * @param jdk version of Java
 */
record Machine(int cores, long gibibytes, String system, String jdk) {

	static Machine here() {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		return new Machine(system.getAvailableProcessors(), Math.round(system.getTotalMemorySize() / 1073741824.0),
				System.getProperty("os.name") + " " + System.getProperty("os.arch"), Runtime.version().toString());
	}

	/**
	 * How many threads have been running or waiting for a processor in the last minute.
	 */
	static double load() {
		return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
	}

}
