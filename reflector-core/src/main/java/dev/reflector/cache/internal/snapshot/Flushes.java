package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Requests to store what is completed by now. Any thread may make one, and the thread
 * that writes the snapshot completes them.
 */
public final class Flushes {

	private @Nullable CompletableFuture<Void> requested;

	/** The accepted requests, which wait for marks. */
	private final List<Flush> waiting = new ArrayList<>();

	private boolean ended;

	/**
	 * Requests to store what is completed by now.
	 * @return a future that completes when storing was tried
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

	/** Whether there is a request that is not accepted. */
	public synchronized boolean isRequested() {
		return this.requested != null;
	}

	/** Whether there is a request that is not complete. */
	public synchronized boolean isPending() {
		return this.requested != null || !this.waiting.isEmpty();
	}

	/**
	 * Accepts a request, which stays until {@link #await} or {@link #complete()}.
	 * @return whether there was a request
	 */
	public synchronized boolean accept() {
		CompletableFuture<Void> requested = this.requested;
		this.requested = null;
		return requested != null && this.waiting.add(new Flush(requested, null));
	}

	/**
	 * Lets the accepted request wait for marks.
	 * @param marks the numbers of the last marks
	 */
	public synchronized void await(List<Long> marks) {
		this.waiting.replaceAll((flush) -> (flush.marks() != null) ? flush : new Flush(flush.result(), marks));
	}

	/**
	 * Completes the requests whose marks have all passed.
	 * @param marks says which marks have passed
	 */
	public void passed(MarkedStates<?> marks) {
		complete((flush) -> flush.marks() == null || marks.havePassed(flush.marks()));
	}

	/** Completes all accepted requests, because storing was tried for them. */
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

	/** Notes that nothing more is stored. From now on, requests complete at once. */
	public void end() {
		synchronized (this) {
			this.ended = true;
		}
		accept();
		complete();
	}

	/**
	 * A request.
	 *
	 * @param result completes when storing was tried
	 * @param marks the last marks before the request, {@code null} before these were set
	 */
	private record Flush(CompletableFuture<Void> result, @Nullable List<Long> marks) {

	}

}
