package dev.reflector.console;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Samples of the last quarter of an hour, one each second. Thread-safe.
 */
final class Series {

	static final int STEP = 1000;

	private static final int CAPACITY = (int) (Timeline.KEPT.toMillis() / STEP);

	private final @Nullable Sample[] samples = new Sample[CAPACITY];

	private int next;

	synchronized void add(Sample sample) {
		this.samples[this.next] = sample;
		this.next = (this.next + 1) % CAPACITY;
	}

	synchronized @Nullable Sample last() {
		return this.samples[(this.next + CAPACITY - 1) % CAPACITY];
	}

	View view() {
		View view = new View(STEP, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
				new ArrayList<>());
		for (Sample sample : all()) {
			view.times().add(sample.time());
			view.eventRate().add(sample.eventRate());
			view.queueDepth().add(sample.queueDepth());
			view.deliveryMillis().add(sample.deliveryMillis());
			view.ageMillis().add(sample.ageMillis());
		}
		return view;
	}

	private synchronized List<Sample> all() {
		List<Sample> all = new ArrayList<>();
		for (int i = 0; i < CAPACITY; i++) {
			Sample sample = this.samples[(this.next + i) % CAPACITY];
			if (sample != null) {
				all.add(sample);
			}
		}
		return all;
	}

	/**
	 * One sample.
	 *
	 * @param time when the sample was taken, in milliseconds
	 * @param eventRate changes of the mirror per second
	 * @param queueDepth number of changes that wait for a handler
	 * @param deliveryMillis the longest time from the arrival of a change to its delivery
	 * to the handlers, or {@code null} if no change was delivered
	 * @param ageMillis time since the server last sent a resource version of the
	 * collection, or {@code null} before the first list
	 */
	record Sample(long time, double eventRate, int queueDepth, @Nullable Double deliveryMillis,
			@Nullable Long ageMillis) {

	}

	/**
	 * All samples, column by column.
	 */
	record View(int step, List<Long> times, List<Double> eventRate, List<Integer> queueDepth,
			List<@Nullable Double> deliveryMillis, List<@Nullable Long> ageMillis) {

	}

}
