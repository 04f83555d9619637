package dev.reflector.benchmark.client;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The bytes on the heap, by class.
 *
 * @param bytes bytes by name of the class
 */
record Histogram(Map<String, Long> bytes) {

	/** Counts the objects that can still be reached, after a full collection. */
	static Histogram live() {
		// the first collection only finds what the second one frees
		System.gc();
		return taken();
	}

	/** Counts all objects, those that can no longer be reached included. */
	static Histogram all() {
		return taken("-all");
	}

	private static Histogram taken(String... options) {
		try {
			Object text = ManagementFactory.getPlatformMBeanServer()
				.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
						new Object[] { options }, new String[] { String[].class.getName() });
			return of(text.toString());
		}
		catch (JMException ex) {
			throw new IllegalStateException("the JVM makes no histogram", ex);
		}
	}

	private static Histogram of(String text) {
		Map<String, Long> bytes = new LinkedHashMap<>();
		text.lines().map((line) -> line.strip().split("\\s+")).forEach((parts) -> {
			// number, instances, bytes, class, and its module
			if (parts.length >= 4 && parts[0].matches("\\d+:")) {
				bytes.merge(parts[3].replaceAll("/0x[0-9a-f]+", ""), Long.valueOf(parts[2]), Long::sum);
			}
		});
		return new Histogram(bytes);
	}

	/**
	 * The bytes that have been added since another histogram.
	 * @param earlier the other one
	 * @return bytes by name of the class; negative for a class that has fewer
	 */
	Map<String, Long> since(Histogram earlier) {
		Map<String, Long> added = new LinkedHashMap<>();
		this.bytes.forEach((name, count) -> {
			long more = count - earlier.bytes.getOrDefault(name, 0L);
			if (more != 0) {
				added.put(name, more);
			}
		});
		return added;
	}

}
