package dev.reflector.test.internal.exchange;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last requests received.
 */
public final class RequestLog {

	private static final int CAPACITY = 10_000;

	private final Deque<ReceivedRequest> requests = new ArrayDeque<>();

	private long writes;

	public synchronized void add(ReceivedRequest request) {
		if (request.isWrite()) {
			this.writes++;
		}
		if (this.requests.size() == CAPACITY) {
			this.requests.removeFirst();
		}
		this.requests.addLast(request);
	}

	public synchronized List<ReceivedRequest> all() {
		return List.copyOf(this.requests);
	}

	/**
	 * Returns how many writes there have been, including those that are not kept.
	 * @return the number of writes, which never decreases
	 */
	public synchronized long writes() {
		return this.writes;
	}

	public synchronized void clear() {
		this.requests.clear();
	}

}
