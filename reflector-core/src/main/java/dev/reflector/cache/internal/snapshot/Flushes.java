package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The requests to store at once what handlers have completed. Any thread may make a
 * request. The thread that writes the snapshot completes the requests.
 */
public final class Flushes {

	private @Nullable CompletableFuture<Void> requested;

	/** The accepted requests that are not complete yet. */
	private final List<Flush> waiting = new ArrayList<>();

	private boolean ended;

	/**
	 * Makes a request to store at once what handlers have completed.
	 * @return a future that completes after the attempt to store, whether it succeeds or
	 * fails
	 */
	public synchronized CompletableFuture<Void> request() {
		CompletableFuture<Void> requested = this.requested;
		if (requested == null) {
			requested = new CompletableFuture<>();
			this.requested = requested;
		}
		if (this.ended) {
			requested.complete(null);
		}
		return requested;
	}

	/** Whether there is a request that was not accepted yet. */
	public synchronized boolean isRequested() {
		return this.requested != null;
	}

	/** Whether there is an incomplete request, accepted or not. */
	public synchronized boolean isPending() {
		return this.requested != null || !this.waiting.isEmpty();
	}

	/**
	 * Accepts the requests that were made since the last call. An accepted request stays
	 * incomplete until {@link #passed} or {@link #complete()} completes it.
	 * @return whether there was such a request
	 */
	public synchronized boolean accept() {
		CompletableFuture<Void> requested = this.requested;
		this.requested = null;
		return requested != null && this.waiting.add(new Flush(requested, null));
	}

	/**
	 * Makes newly accepted requests wait for marks.
	 * @param marks the number of the last mark of each namespace
	 */
	public synchronized void await(List<Long> marks) {
		this.waiting.replaceAll((flush) -> (flush.marks() != null) ? flush : new Flush(flush.result(), marks));
	}

	/**
	 * Completes the requests whose marks have all passed.
	 * @param marks the marks of the run
	 */
	public void passed(MarkedStates<?> marks) {
		complete((flush) -> flush.marks() == null || marks.havePassed(flush.marks()));
	}

	/** Completes all accepted requests. */
	public void complete() {
		complete((flush) -> true);
	}

	private void complete(Predicate<Flush> which) {
		List<Flush> done = new ArrayList<>();
		synchronized (this) {
			this.waiting.removeIf((flush) -> which.test(flush) && done.add(flush));
		}
		done.forEach((flush) -> flush.result().complete(null));
	}

	/**
	 * Completes all requests. Later requests are complete at once. Called when nothing
	 * more will be stored.
	 */
	public void end() {
		synchronized (this) {
			this.ended = true;
		}
		accept();
		complete();
	}

	/**
	 * An accepted request.
	 *
	 * @param result completes after the attempt to store, whether it succeeds or fails
	 * @param marks the marks to wait for, or {@code null} before {@link #await}
	 */
	private record Flush(CompletableFuture<Void> result, @Nullable List<Long> marks) {

	}

}
