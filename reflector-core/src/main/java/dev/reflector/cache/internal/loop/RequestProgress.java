package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.reflector.cache.config.TimeSource;
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
 * The progress of one request, as reported by the source on its threads, and the reason
 * why the request has ended. Also notifies the observer of the request.
 */
public final class RequestProgress implements RequestListener {

	private final RequestObserver observer;

	private final Consumer<BrokenAnswer> onBroken;

	private final TimeSource time;

	private final long begunAt;

	private final AtomicLong bytes = new AtomicLong();

	private volatile @Nullable String waitsFor;

	private volatile @Nullable BrokenAnswer broken;

	/** The time at which the current page was requested. */
	private long askedAt;

	/** How many bytes arrived before the current page was requested. */
	private long bytesBefore;

	private int pages;

	private long objects;

	private @Nullable Reason reason;

	private @Nullable RequestFailure failure;

	/**
	 * Creates the progress of a request that begins now, and notifies the observer of the
	 * request.
	 * @param setup the setup of the loop, with the observer
	 * @param request the request
	 * @param onBroken receives the reason if the answer is cut off
	 */
	RequestProgress(LoopSetup<?> setup, ReflectorRequest request, Consumer<BrokenAnswer> onBroken) {
		this.time = setup.time();
		this.begunAt = this.time.nanoTime();
		this.askedAt = this.begunAt;
		this.observer = setup.observer().requested(request);
		this.onBroken = onBroken;
	}

	/**
	 * Wraps a request for keys and versions, so that the observer is notified of this
	 * request.
	 * @param <R> the type of the items of a page
	 * @param setup the setup of the loop, with the observer
	 * @param options the options of the request
	 * @param request the request
	 * @return the wrapped request
	 */
	public static <R> Mono<ListPage<R>> observed(LoopSetup<?> setup, ListOptions options, Mono<ListPage<R>> request) {
		return Mono.defer(() -> {
			RequestProgress notes = new RequestProgress(setup, new ReflectorRequest(ReflectorRequest.Kind.VERSIONS,
					options.namespace(), options.resourceVersion(), null), (answer) -> {
					});
			return request.doOnSuccess((page) -> {
				notes.answered((page != null) ? page.items().size() : 0);
				notes.complete();
			})
				.doOnError((error) -> notes.failed(Failure.of(error)))
				.doFinally((signal) -> notes.end())
				.contextWrite((context) -> RequestListener.in(context, notes));
		});
	}

	RequestObserver observer() {
		return this.observer;
	}

	/** Returns how long the request has taken so far. */
	Duration elapsed() {
		return since(this.begunAt);
	}

	/** Returns how long the current page of a list has taken so far. */
	Duration waited() {
		return since(this.askedAt);
	}

	private Duration since(long moment) {
		return Duration.ofNanos(this.time.nanoTime() - moment);
	}

	/** Notes that the next page of a list is being requested. */
	void nextPage() {
		this.askedAt = this.time.nanoTime();
		this.bytesBefore = this.bytes.get();
	}

	/**
	 * Notes that a page of a list has arrived.
	 * @param objects the number of objects in the page
	 */
	void answered(int objects) {
		this.pages++;
		this.objects += objects;
	}

	/** Returns what the request is waiting for, or {@code null} if it has been sent. */
	@Nullable String waitsFor() {
		return this.waitsFor;
	}

	/** Returns a text that says how much of an incomplete page has arrived. */
	String soFar() {
		long bytes = this.bytes.get() - this.bytesBefore;
		// zero may only mean that the source does not count bytes
		return (bytes == 0) ? "as far as known, nothing has been received" : bytes + " bytes have been received";
	}

	/** Notes that the list is complete. */
	void complete() {
		this.reason = Reason.ENDED;
	}

	/**
	 * Notes that a watch has ended without an error.
	 * @param overdue whether the loop closes the watch because it has lasted too long
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

	/**
	 * Notes that this watch ends because the next watch takes over, unless another reason
	 * for the end was noted before.
	 */
	void replaced() {
		this.reason = (this.reason != null) ? this.reason : Reason.REPLACED;
	}

	/** Ends the request of a list. */
	void end() {
		end(elapsed(), this.objects);
	}

	/**
	 * Ends the request, and notifies the observer. If no reason for the end was noted
	 * before, the loop has given up the request.
	 * @param duration how long the request has taken
	 * @param events the number of received objects or events
	 * @return why the request has ended
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
