package dev.reflector.benchmark.client;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Takes a client through the phases that the arguments name, and prints what was measured
 * as lines {@code name=value}. The last line is {@code complete=true}: without it,
 * nothing counts.
 */
public final class ClientRun {

	private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long POLL_MILLIS = 5;

	/** Asking the server is not free. */
	private static final long REMOTE_POLL_MILLIS = 50;

	/** Threads that take less than that for an event are not worth a line. */
	private static final double LEAST_MICROS = 0.05;

	/** Threads that take less than that until the mirror has synced get no line. */
	private static final double LEAST_MILLIS = 10;

	private final Arguments arguments;

	private final MirrorClient client;

	private final ServerControl control;

	private final Meter meter = new Meter();

	private final Probe probe;

	private final boolean detailed;

	private final long deadline;

	/** The time when all objects could be read, 0 before. */
	private volatile long readable;

	private volatile boolean synced;

	private ClientRun(Arguments arguments, MirrorClient client) {
		this.arguments = arguments;
		this.detailed = arguments.text("detailed", "").equals("true");
		this.probe = new Probe(this.meter, this.detailed);
		this.client = client;
		this.control = new ServerControl(arguments.server());
		this.deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(arguments.number("timeout", 120));
	}

	/**
	 * Runs all phases and ends the process.
	 * @param args {@code name=value}: {@code server}, {@code kind}, {@code count},
	 * {@code phases} (a list of {@code retained}, {@code warm:EVENTS},
	 * {@code burst:EVENTS}, {@code settled:EVENTS}, {@code profiled:EVENTS} (to the file
	 * {@code recording}), {@code paced:EVENTS:RATE}, {@code steady:SECONDS:RATE:LAST}, of
	 * which the last seconds count and as many first ones are printed beside them (at
	 * most half of all), {@code relist}, {@code digest}, {@code kept} and
	 * {@code survivors:SECONDS:RATE}) and {@code timeout} in seconds; {@code visible} is
	 * how many of the objects there are at first, {@code settle} for how many seconds the
	 * heap may still become smaller before it counts as retained, {@code streaming=false}
	 * refuses streamed lists, {@code restored=true} expects that the mirror continues
	 * from a snapshot and that listeners receive nothing, {@code unchanged=true} sets the
	 * versions of all objects back to the first ones, {@code mediaType} is the only
	 * format in which the server may have answered, {@code stop=true} stops the client in
	 * the end, {@code detailed=true} prints when the first and the last object came, and
	 * the processor time of each thread until then; {@code mirrors} is how many idle
	 * mirrors are measured instead, for {@code seconds}
	 * @param client the client
	 */
	public static void main(String[] args, MirrorClient client) {
		Arguments arguments = new Arguments(args);
		int mirrors = arguments.number("mirrors", 0);
		if (mirrors > 0) {
			IdleRun.main(arguments.server(), mirrors, arguments.number("seconds", 30),
					() -> client.startMany(arguments.server(), mirrors));
			return;
		}
		int status = 1;
		try {
			new ClientRun(arguments, client).run();
			System.out.println("complete=true");
			status = 0;
		}
		catch (Throwable ex) {
			// out of memory is one of the answers sought
			System.err.println(ex);
		}
		System.out.flush();
		// clients keep threads of theirs running
		Runtime.getRuntime().halt(status);
	}

	private void run() throws Exception {
		this.control.call("reset?streaming=" + this.arguments.text("streaming", "true") + "&visible="
				+ this.arguments.text("visible", "") + "&unchanged=" + this.arguments.text("unchanged", ""));
		Thread reader = new Thread(this::noteWhenReadable, "benchmark-reader");
		reader.setDaemon(true);
		reader.start();
		if (this.arguments.text("restored", "").equals("true")) {
			restore();
		}
		else {
			synchronize();
		}
		for (String phase : this.arguments.phases()) {
			String[] parts = phase.split(":");
			switch (parts[0]) {
				case "retained" -> retained();
				case "warm", "burst", "settled" -> burst(Integer.parseInt(parts[1]), parts[0]);
				case "profiled" -> profiled(Integer.parseInt(parts[1]));
				case "paced" -> paced(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
				case "steady" ->
					steady(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
				case "relist" -> {
					relist("firstRelist");
					relist("relist");
				}
				case "digest" -> digest();
				case "kept" -> kept();
				case "survivors" -> survivors(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
				default -> throw new IllegalArgumentException(phase);
			}
		}
		checkFormat();
		if (this.arguments.text("stop", "").equals("true")) {
			long before = System.nanoTime();
			this.client.stop();
			print("stop.seconds", (System.nanoTime() - before) / 1e9);
		}
	}

	/**
	 * Fails when an answer came in another format than the one that is measured, as it
	 * does when the client falls back to JSON.
	 */
	private void checkFormat() {
		String answered = this.control.report("mediaTypes");
		String expected = this.arguments.text("mediaType", answered);
		if (!answered.equals(expected)) {
			throw new IllegalStateException("answers were in " + answered + " rather than in " + expected);
		}
	}

	private void synchronize() throws Exception {
		this.client.start(this.arguments.server(), this.arguments.kind(), this.probe);
		int visible = this.arguments.number("visible", this.arguments.number("count", 0));
		long expected = (long) visible * this.client.listeners();
		await("sync", () -> this.probe.additions() >= expected);
		Meter.Reading end = this.meter.read();
		Map<String, Long> threads = this.detailed ? Meter.allThreads() : Map.of();
		this.synced = true;
		Meter.Reading begin = this.probe.beginning();
		long firstRequest = Long.parseLong(this.control.report("firstRequest"));
		if (this.client.readable() >= 0) {
			await("readable", () -> this.readable != 0);
			readable(begin);
		}
		print("sync.seconds", (this.probe.lastCall() - firstRequest) / 1e9);
		print("sync.cpuSeconds", end.cpuSecondsSince(begin));
		print("sync.allocatedBytes", end.allocatedSince(begin));
		print("sync.peakRssBytes", this.meter.peakKibibytes() * 1024.0);
		print("process.cpuSeconds", end.cpu() / 1e9);
		await("watch", REMOTE_POLL_MILLIS, () -> this.control.report("open").equals("true"));
		print("sync.lists", Double.parseDouble(this.control.report("lists")));
		print("sync.receivedBytes", sent());
		print("sync.watches", Double.parseDouble(this.control.report("watches")));
		if (this.detailed) {
			print("moment.began", begin.nanos());
			print("moment.firstCall", this.probe.firstCall());
			print("moment.lastCall", this.probe.lastCall());
			Map<String, Long> before = this.probe.threadsAtBeginning();
			threads.forEach((name, nanos) -> {
				double millis = (nanos - before.getOrDefault(name, 0L)) / 1e6;
				if (millis >= LEAST_MILLIS) {
					print("sync.cpuMillis/" + name, millis);
				}
			});
		}
	}

	/** The first watch opens only after the mirror was filled. */
	private void restore() throws Exception {
		this.client.start(this.arguments.server(), this.arguments.kind(), this.probe);
		await("watch", REMOTE_POLL_MILLIS, () -> this.control.report("open").equals("true"));
		await("readable", () -> this.readable != 0);
		Meter.Reading end = this.meter.read();
		Meter.Reading begin = this.probe.beginning();
		readable(begin);
		print("restored.cpuSeconds", end.cpuSecondsSince(begin));
		print("restored.peakRssBytes", this.meter.peakKibibytes() * 1024.0);
		print("restored.lists", Double.parseDouble(this.control.report("lists")));
		print("restored.calls", this.probe.calls());
	}

	/** Since the client began, and since the JVM did. */
	private void readable(Meter.Reading begin) {
		print("readable.seconds", (this.readable - begin.nanos()) / 1e9);
		long age = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
		print("readable.secondsOfProcess", age / 1e3 - (System.nanoTime() - this.readable) / 1e9);
	}

	private void noteWhenReadable() {
		int expected = this.arguments.number("visible", this.arguments.number("count", 0));
		try {
			while (this.client.readable() < expected) {
				if (this.synced && this.client.readable() < 0) {
					// it does not say, and asking on would count as its processor time
					return;
				}
				TimeUnit.MILLISECONDS.sleep(1);
			}
			this.readable = System.nanoTime();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Measures what additional objects add to the heap: once everything else is loaded,
	 * more objects become visible, and a new list shows them.
	 */
	private void retained() throws InterruptedException {
		long visible = this.arguments.number("visible", 0);
		long all = this.arguments.number("count", 0);
		long before = settled();
		this.control.call("grow");
		await("retained", () -> this.probe.additions() >= all);
		await("retained", REMOTE_POLL_MILLIS, () -> this.control.report("open").equals("true"));
		print("retained.bytesPerObject", (double) (settled() - before) / (all - visible));
	}

	/** The least within a time in which commits of a snapshot come to an end. */
	private long settled() throws InterruptedException {
		long least = this.meter.retained();
		for (int i = 0; i < this.arguments.number("settle", 0) / 2; i++) {
			TimeUnit.SECONDS.sleep(2);
			least = Math.min(least, this.meter.retained());
		}
		return least;
	}

	/**
	 * Measures how many bytes of each class an object keeps on the heap: the difference
	 * that additional visible objects make.
	 */
	private void kept() throws InterruptedException {
		long visible = this.arguments.number("visible", 0);
		long all = this.arguments.number("count", 0);
		Histogram before = Histogram.live();
		this.control.call("grow");
		await("kept", () -> this.probe.additions() >= all);
		await("kept", REMOTE_POLL_MILLIS, () -> this.control.report("open").equals("true"));
		Histogram.live()
			.since(before)
			.forEach((name, bytes) -> print("kept.bytesPerObject/" + name, (double) bytes / (all - visible)));
	}

	/**
	 * Measures which bytes survive a young collection for each event, by class. The
	 * process must run with a collector that moves each survivor into the old generation
	 * at once, and with an old generation that needs no collection.
	 */
	private void survivors(int seconds, int rate) throws InterruptedException {
		long before = this.probe.updates();
		long expected = (long) seconds * rate;
		this.probe.await(this.control.call("paced?events=" + expected + "&rate=" + rate).getOrDefault("last", ""));
		await("survivors", () -> this.probe.updates() - before >= expected / 5);
		Survivors first = Survivors.now(this.probe);
		await("survivors", () -> this.probe.updates() - before >= expected * 4 / 5);
		Survivors second = Survivors.now(this.probe);
		second.since(first).forEach(ClientRun::print);
		awaitEvents("survivors", before + expected);
	}

	/** Bytes that the server has sent of the collection since the run began. */
	private long sent() {
		return Long.parseLong(this.control.report("sent"));
	}

	private void burst(int events, String name) throws InterruptedException {
		long before = this.probe.updates();
		long sent = sent();
		long expected = (long) events * this.client.listeners();
		Meter.Reading begin = this.meter.read();
		this.probe.await(this.control.call("burst?events=" + events).getOrDefault("last", ""));
		awaitEvents(name, before + expected);
		Meter.Reading end = this.meter.read();
		print(name + ".eventsPerSecond", events * 1e9 / (this.probe.lastCall() - begin.nanos()));
		print(name + ".cpuMicrosPerEvent", end.cpuSecondsSince(begin) * 1e6 / events);
		print(name + ".allocatedBytesPerEvent", (double) end.allocatedSince(begin) / events);
		print(name + ".deliveredShare", (double) (this.probe.updates() - before) / expected);
		print(name + ".receivedBytesPerEvent", (double) (sent() - sent) / events);
	}

	/**
	 * Prints a number that is the same for all mirrors with the same objects, in whatever
	 * order. Each object is changed once more before that, so that no object still has
	 * the time at which an earlier change was due.
	 */
	private void digest() throws InterruptedException {
		int count = this.arguments.number("count", 0);
		long before = this.probe.updates();
		this.probe.await(this.control.call("burst?events=" + count).getOrDefault("last", ""));
		awaitEvents("digest", before + (long) count * this.client.listeners());
		List<?> objects = this.client.objects();
		if (objects.size() != count) {
			throw new IllegalStateException("a mirror of " + objects.size() + " objects rather than " + count);
		}
		// sorted, not added up: a sum stays the same if objects have swapped field values
		print("mirror.digest", Arrays.hashCode(objects.stream().mapToInt(Object::hashCode).sorted().toArray()));
	}

	private void profiled(int events) throws InterruptedException {
		Profile profile = Profile.start(this.arguments.text("recording", "profile.jfr"));
		Map<String, Long> before = this.meter.cpuByThread();
		Meter.Reading begin = this.meter.read();
		burst(events, "profiled");
		double rest = this.meter.read().cpuSecondsSince(begin);
		for (Map.Entry<String, Long> thread : this.meter.cpuByThread().entrySet()) {
			double seconds = (thread.getValue() - before.getOrDefault(thread.getKey(), 0L)) / 1e9;
			rest -= seconds;
			if (seconds * 1e6 / events >= LEAST_MICROS) {
				print("profiled.cpuMicrosPerEvent/" + thread.getKey(), seconds * 1e6 / events);
			}
		}
		print("profiled.cpuMicrosPerEvent/the rest: compiler, collector", rest * 1e6 / events);
		profile.finish();
	}

	/**
	 * Waits for the events. Some may have been merged with later ones: then waits for the
	 * last event, followed by silence.
	 */
	private void awaitEvents(String name, long expected) throws InterruptedException {
		await(name, () -> this.probe.updates() >= expected
				|| (this.probe.hasArrived() && System.nanoTime() - this.probe.lastCall() > QUIET_NANOS));
	}

	private void paced(int events, int rate) throws InterruptedException {
		long before = this.probe.updates();
		long expected = (long) events * this.client.listeners();
		this.probe.record((int) expected);
		Meter.Reading begin = this.meter.read();
		this.probe.await(this.control.call("paced?events=" + events + "&rate=" + rate).getOrDefault("last", ""));
		awaitEvents("paced", before + expected);
		Meter.Reading end = this.meter.read();
		long[] all = this.probe.recorded();
		// the first tenth is not steady yet
		long[] steady = Arrays.copyOfRange(all, all.length / 10, all.length);
		String name = "latency" + rate;
		percentiles(name, steady);
		print(name + ".cpuMicrosPerEvent", end.cpuSecondsSince(begin) * 1e6 / events);
		print(name + ".deliveredShare", (double) (this.probe.updates() - before) / expected);
	}

	/**
	 * Measures like a service that has run for a long time: all but the last seconds are
	 * warm-up. As many seconds at the beginning show the warm-up in the same process.
	 */
	private void steady(int seconds, int rate, int last) throws InterruptedException {
		int events = seconds * rate;
		long before = this.probe.updates();
		long expected = (long) events * this.client.listeners();
		this.probe.record((int) expected);
		Meter.Reading begin = this.meter.read();
		this.probe.await(this.control.call("paced?events=" + events + "&rate=" + rate).getOrDefault("last", ""));
		int warmUp = Math.min(last, seconds - last);
		long firstEnds = begin.nanos() + TimeUnit.SECONDS.toNanos(warmUp);
		await("steady", () -> System.nanoTime() >= firstEnds);
		Meter.Reading first = this.meter.read();
		long lastBegins = begin.nanos() + TimeUnit.SECONDS.toNanos(seconds - last);
		await("steady", () -> System.nanoTime() >= lastBegins);
		Meter.Reading middle = this.meter.read();
		long earlier = this.probe.updates() - before;
		awaitEvents("steady", before + expected);
		Meter.Reading end = this.meter.read();
		long[] all = this.probe.recorded();
		String name = "steady" + rate;
		percentiles(name, Arrays.copyOfRange(all, (int) Math.min(earlier, all.length), all.length));
		double counted = (double) last * rate;
		if (warmUp > 0) {
			double early = (double) warmUp * rate;
			print(name + "First.cpuMicrosPerEvent", first.cpuSecondsSince(begin) * 1e6 / early);
			print(name + "First.allocatedBytesPerEvent", first.allocatedSince(begin) / early);
		}
		print(name + ".cpuMicrosPerEvent", end.cpuSecondsSince(middle) * 1e6 / counted);
		print(name + ".allocatedBytesPerEvent", end.allocatedSince(middle) / counted);
		print(name + ".deliveredShare", (this.probe.updates() - before) / (double) expected);
	}

	private static void percentiles(String name, long[] latencies) {
		Arrays.sort(latencies);
		print(name + ".p50Millis", percentile(latencies, 0.5));
		print(name + ".p99Millis", percentile(latencies, 0.99));
		print(name + ".p999Millis", percentile(latencies, 0.999));
	}

	private static double percentile(long[] sorted, double share) {
		return (sorted.length == 0) ? Double.NaN : sorted[(int) Math.floor(share * (sorted.length - 1))] / 1e6;
	}

	/** Ends with a change that must be the only call of a listener. */
	private void relist(String name) throws InterruptedException {
		long calls = this.probe.calls();
		int watches = Integer.parseInt(this.control.report("watches"));
		Meter.Reading begin = this.meter.read();
		this.control.call("expire");
		await("relist", REMOTE_POLL_MILLIS, () -> Integer.parseInt(this.control.report("watches")) > watches
				&& this.control.report("open").equals("true"));
		long firstRequest = Long.parseLong(this.control.report("firstRequest"));
		this.probe.await(this.control.call("burst?events=1").getOrDefault("last", ""));
		await("relist", this.probe::hasArrived);
		Meter.Reading end = this.meter.read();
		long last = this.probe.lastCall();
		TimeUnit.NANOSECONDS.sleep(QUIET_NANOS);
		print(name + ".seconds", (last - firstRequest) / 1e9);
		print(name + ".outageSeconds", (last - begin.nanos()) / 1e9);
		print(name + ".cpuSeconds", end.cpuSecondsSince(begin));
		print(name + ".allocatedBytes", end.allocatedSince(begin));
		print(name + ".spuriousEvents", (double) this.probe.calls() - calls - this.client.listeners());
	}

	private void await(String what, BooleanSupplier condition) throws InterruptedException {
		await(what, POLL_MILLIS, condition);
	}

	private void await(String what, long pollMillis, BooleanSupplier condition) throws InterruptedException {
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > this.deadline) {
				throw new IllegalStateException("timed out: " + what + " after " + this.probe.additions()
						+ " additions and " + this.probe.updates() + " updates");
			}
			TimeUnit.MILLISECONDS.sleep(pollMillis);
		}
	}

	private static void print(String name, double value) {
		System.out.println(name + "=" + String.format(Locale.ROOT, "%.6f", value));
	}

}
