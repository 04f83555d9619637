package dev.reflector.benchmark.runner;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * A replica in a separate process.
 *
 * @param name its name
 * @param relay the relay through which it reaches the server
 * @param worker its process
 */
record RunningReplica(String name, CountingRelay relay, Worker worker) implements AutoCloseable {

	/** Several applications that start at once need their time. */
	private static final Duration START = Duration.ofSeconds(180);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * Waits until it is about to begin.
	 * @return what it has used until then
	 */
	Report awaitReady() {
		return Report.of(this.worker.answer(START));
	}

	void go() {
		this.worker.tell("go");
	}

	Report report() {
		return Report.of(this.worker.ask("report", PATIENCE));
	}

	long heap() {
		return Report.of(this.worker.ask("heap", PATIENCE)).number("heap");
	}

	/**
	 * Stops it as a platform does, and waits for that.
	 * @return what it has owned until when
	 */
	Report stop() {
		return Report.of(this.worker.ask("stop", PATIENCE));
	}

	@Override
	public void close() {
		this.worker.close();
		this.relay.close();
	}

	/**
	 * The report of a replica about itself.
	 *
	 * @param values by name
	 */
	record Report(Map<String, String> values) {

		static Report of(Map<String, String> values) {
			return new Report(values);
		}

		String text(String name) {
			return this.values.getOrDefault(name, "");
		}

		long number(String name) {
			return Long.parseLong(this.values.getOrDefault(name, "0"));
		}

		boolean is(String name) {
			return Boolean.parseBoolean(this.values.get(name));
		}

		/** Times by slot. */
		Map<Integer, Long> bySlot(String name) {
			Map<Integer, Long> times = new TreeMap<>();
			this.values.forEach((key, value) -> {
				if (key.startsWith(name + ".")) {
					times.put(Integer.valueOf(key.substring(name.length() + 1)), Long.valueOf(value));
				}
			});
			return times;
		}

	}

}
