package dev.reflector.test.internal.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import dev.reflector.test.internal.exchange.ReceivedRequest;
import org.jspecify.annotations.Nullable;

/**
 * The faults that have not been played yet, in the order in which they were added.
 */
public final class FaultScript {

	private final ReentrantLock lock = new ReentrantLock();

	private final List<Entry> entries = new ArrayList<>();

	private int turnedAway;

	public void add(Predicate<ReceivedRequest> requests, int passing, int times, Behaviour fault) {
		if (passing < 0) {
			throw new IllegalArgumentException("'passing' must not be negative");
		}
		if (times < 1) {
			throw new IllegalArgumentException("'times' must be positive");
		}
		this.lock.lock();
		try {
			this.entries.add(new Entry(requests, fault, passing, times));
		}
		finally {
			this.lock.unlock();
		}
	}

	public void clear() {
		this.lock.lock();
		try {
			this.entries.clear();
			this.turnedAway = 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes the server close the next connections as soon as they are accepted.
	 * @param connections how many connections to close, in addition to those of earlier
	 * calls
	 */
	public void turnAway(int connections) {
		this.lock.lock();
		try {
			this.turnedAway += connections;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether to close a new connection. If the result is {@code true}, counts the
	 * connection as closed.
	 * @return whether to close it
	 */
	public boolean turnsAway() {
		this.lock.lock();
		try {
			boolean turned = this.turnedAway > 0;
			this.turnedAway -= turned ? 1 : 0;
			return turned;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the answer of the fault that matches a request, and counts the fault as
	 * played.
	 * @param request the request
	 * @return the answer of the fault, or {@code null} if no fault matches and the
	 * request must be answered properly
	 */
	public @Nullable Behaviour next(ReceivedRequest request) {
		this.lock.lock();
		try {
			for (Iterator<Entry> entries = this.entries.iterator(); entries.hasNext();) {
				Entry entry = entries.next();
				if (entry.requests.test(request)) {
					if (entry.passing > 0) {
						entry.passing--;
						continue;
					}
					entry.times--;
					if (entry.times == 0) {
						entries.remove();
					}
					return entry.fault;
				}
			}
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A fault, the number of matching requests to answer properly before it, and the
	 * number of times to play it.
	 */
	private static final class Entry {

		private final Predicate<ReceivedRequest> requests;

		private final Behaviour fault;

		private int passing;

		private int times;

		private Entry(Predicate<ReceivedRequest> requests, Behaviour fault, int passing, int times) {
			this.requests = requests;
			this.fault = fault;
			this.passing = passing;
			this.times = times;
		}

	}

}
