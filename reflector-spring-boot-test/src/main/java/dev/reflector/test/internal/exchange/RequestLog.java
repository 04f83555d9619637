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

	public synchronized void add(ReceivedRequest request) {
		if (this.requests.size() == CAPACITY) {
			this.requests.removeFirst();
		}
		this.requests.addLast(request);
	}

	public synchronized List<ReceivedRequest> all() {
		return List.copyOf(this.requests);
	}

	public synchronized void clear() {
		this.requests.clear();
	}

}
