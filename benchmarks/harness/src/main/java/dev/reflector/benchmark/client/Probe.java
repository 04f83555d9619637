package dev.reflector.benchmark.client;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of the listeners of all clients, and notes their times.
 */
public final class Probe {

	private final Meter meter;

	private final boolean detailed;

	private volatile Map<String, Long> threads = Map.of();

	private final AtomicLong additions = new AtomicLong();

	private final AtomicLong updates = new AtomicLong();

	private final AtomicLong deletions = new AtomicLong();

	private volatile Meter.@Nullable Reading beginning;

	private volatile long firstCall;

	private volatile long lastCall;

	private volatile String awaited = "";

	private volatile boolean arrived;

	private volatile @Nullable String lastVersion;

	private volatile long @Nullable [] latencies;

	private final AtomicLong recorded = new AtomicLong();

	/**
	 * Creates the probe.
	 * @param meter reads what the process has used
	 * @param detailed whether it notes the processor time of each thread as well
	 */
	Probe(Meter meter, boolean detailed) {
		this.meter = meter;
		this.detailed = detailed;
	}

	/** Notes that mirroring begins. */
	public void begin() {
		this.meter.settle();
		if (this.detailed) {
			this.threads = Meter.allThreads();
		}
		this.beginning = this.meter.read();
	}

	/** Notes that a new object was delivered to a listener. */
	public void added() {
		long now = System.nanoTime();
		this.lastCall = now;
		if (this.additions.getAndIncrement() == 0) {
			this.firstCall = now;
		}
	}

	/**
	 * Notes that a change was delivered to a listener.
	 * @param resourceVersion the version of the object
	 * @param stamp the message of its status: the time when the change was due
	 */
	public void updated(@Nullable String resourceVersion, @Nullable String stamp) {
		long now = System.nanoTime();
		this.lastCall = now;
		long[] latencies = this.latencies;
		if (latencies != null && stamp != null) {
			int index = (int) this.recorded.getAndIncrement();
			if (index < latencies.length) {
				latencies[index] = now - Long.parseLong(stamp);
			}
		}
		this.updates.getAndIncrement();
		this.lastVersion = resourceVersion;
		if (this.awaited.equals(resourceVersion)) {
			this.arrived = true;
		}
	}

	/** Notes that a deletion was delivered to a listener. */
	public void deleted() {
		this.lastCall = System.nanoTime();
		this.deletions.getAndIncrement();
	}

	Meter.Reading beginning() {
		Meter.Reading beginning = this.beginning;
		if (beginning == null) {
			throw new IllegalStateException("the client has not said when it begins");
		}
		return beginning;
	}

	long additions() {
		return this.additions.get();
	}

	long updates() {
		return this.updates.get();
	}

	long calls() {
		return this.additions.get() + this.updates.get() + this.deletions.get();
	}

	/** Processor time by thread when mirroring began. */
	Map<String, Long> threadsAtBeginning() {
		return this.threads;
	}

	long firstCall() {
		return this.firstCall;
	}

	long lastCall() {
		return this.lastCall;
	}

	/**
	 * Waits for a version that may be here already: the server sends before it says what.
	 */
	void await(String resourceVersion) {
		this.arrived = false;
		this.awaited = resourceVersion;
		if (resourceVersion.equals(this.lastVersion)) {
			this.arrived = true;
		}
	}

	boolean hasArrived() {
		return this.arrived;
	}

	void record(int latencies) {
		this.recorded.set(0);
		this.latencies = new long[latencies];
	}

	/**
	 * Returns the recorded latencies, in the order of the calls.
	 */
	long[] recorded() {
		long[] latencies = this.latencies;
		this.latencies = null;
		if (latencies == null) {
			return new long[0];
		}
		return Arrays.copyOf(latencies, (int) Math.min(latencies.length, this.recorded.get()));
	}

}
