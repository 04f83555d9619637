package dev.reflector.test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last requests received.
 */
final class RequestLog {

	private static final int CAPACITY = 10_000;

	private final Deque<RecordedRequest> requests = new ArrayDeque<>();

	synchronized void add(RecordedRequest request) {
		if (this.requests.size() == CAPACITY) {
			this.requests.removeFirst();
		}
		this.requests.addLast(request);
	}

	synchronized List<RecordedRequest> all() {
		return List.copyOf(this.requests);
	}

	synchronized void clear() {
		this.requests.clear();
	}

}
