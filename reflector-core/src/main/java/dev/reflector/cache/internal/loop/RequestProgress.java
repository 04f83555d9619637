package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestEnd.Reason;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.RequestListener;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What is known about one request: what the source reports, on its threads, and how the
 * loop has found it to end. Passes both on to the observer of the request.
 */
public final class RequestProgress implements RequestListener {

	private final RequestObserver observer;

	private final Consumer<BrokenAnswer> onBroken;

	private final long begunAt;

	private final AtomicLong bytes = new AtomicLong();

	private volatile @Nullable String waitsFor;

	private volatile @Nullable BrokenAnswer broken;

	/** When the current page was asked for. */
	private long askedAt;

	/** How many bytes came before the current page. */
	private long bytesBefore;

	private int pages;

	private long objects;

	private @Nullable Reason reason;

	private @Nullable RequestFailure failure;

	/**
	 * A request begins.
	 * @param setup observes the work
	 * @param request the request
	 * @param now the time
	 * @param onBroken receives what is wrong with an answer that is not complete
	 */
	RequestProgress(LoopSetup<?> setup, ReflectorRequest request, long now, Consumer<BrokenAnswer> onBroken) {
		this.observer = setup.observer().requested(request);
		this.onBroken = onBroken;
		this.begunAt = now;
		this.askedAt = now;
	}

	/**
	 * Observes a request for keys and versions.
	 * @param <R> what the page has of an object
	 * @param setup observes the work
	 * @param options what is asked for
	 * @param request the request
	 * @return the same request
	 */
	public static <R> Mono<ListPage<R>> observed(LoopSetup<?> setup, ListOptions options, Mono<ListPage<R>> request) {
		return Mono.defer(() -> {
			RequestProgress notes = new RequestProgress(setup, new ReflectorRequest(ReflectorRequest.Kind.VERSIONS,
					options.namespace(), options.resourceVersion(), null), setup.time().nanoTime(), (answer) -> {
					});
			return request.doOnSuccess((page) -> {
				notes.answered((page != null) ? page.items().size() : 0);
				notes.complete();
			})
				.doOnError((error) -> notes.failed(Failure.of(error)))
				.doFinally((signal) -> notes.end(setup.time().nanoTime()))
				.contextWrite((context) -> RequestListener.in(context, notes));
		});
	}

	RequestObserver observer() {
		return this.observer;
	}

	/** When the current page of a list was asked for. */
	long askedAt() {
		return this.askedAt;
	}

	/** The next page of a list is asked for. */
	void nextPage(long now) {
		this.askedAt = now;
		this.bytesBefore = this.bytes.get();
	}

	/** A page of a list has come. */
	void answered(int objects) {
		this.pages++;
		this.objects += objects;
	}

	/** What the request waits for, or {@code null} when it has been sent. */
	@Nullable String waitsFor() {
		return this.waitsFor;
	}

	/** How much of an incomplete page has arrived, as text. */
	String soFar() {
		long bytes = this.bytes.get() - this.bytesBefore;
		// a source need not count them
		return (bytes == 0) ? "as far as known, nothing has been received" : bytes + " bytes have been received";
	}

	/** The list is complete. */
	void complete() {
		this.reason = Reason.ENDED;
	}

	/**
	 * A watch has ended without an error.
	 * @param overdue whether it was closed because it has lasted too long
	 */
	void closed(boolean overdue) {
		this.reason = overdue ? Reason.OVERDUE : broken(Reason.ENDED);
	}

	private Reason broken(Reason otherwise) {
		BrokenAnswer broken = this.broken;
		return (broken == BrokenAnswer.LOST) ? Reason.LOST
				: (broken == BrokenAnswer.SILENT) ? Reason.SILENT : otherwise;
	}

	void failed(Failure failure) {
		this.reason = (this.broken == BrokenAnswer.MALFORMED) ? Reason.MALFORMED : Reason.FAILED;
		this.failure = failure.observed();
	}

	/** The next watch takes over from this one, if it has not ended yet. */
	void replaced() {
		this.reason = (this.reason != null) ? this.reason : Reason.REPLACED;
	}

	/** The request of a list has ended. */
	void end(long now) {
		end(Duration.ofNanos(now - this.begunAt), this.objects);
	}

	/**
	 * The request has ended, for the reason that was noted before; without one it was
	 * given up.
	 * @param duration how long it has taken
	 * @param events what it has brought
	 * @return why it has ended
	 */
	Reason end(Duration duration, long events) {
		Reason reason = (this.reason != null) ? this.reason : broken(Reason.GIVEN_UP);
		if (this.observer != RequestObserver.NONE) {
			this.observer.ended(new RequestEnd(reason, this.failure, duration, events, this.pages, this.bytes.get()));
		}
		return reason;
	}

	@Override
	public void waitsFor(@Nullable String subject) {
		this.waitsFor = subject;
	}

	@Override
	public void formatRefused() {
		this.observer.formatRefused();
	}

	@Override
	public void received(long bytes) {
		this.bytes.addAndGet(bytes);
		this.observer.received(bytes);
	}

	@Override
	public void broken(BrokenAnswer answer) {
		this.broken = answer;
		this.onBroken.accept(answer);
	}

}
