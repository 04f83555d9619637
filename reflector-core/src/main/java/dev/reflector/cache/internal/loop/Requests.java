package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

import dev.reflector.cache.config.WatchSettings;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.ReflectorRequest.Kind;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Makes the requests of a list/watch loop: one at a time, except that the next watch may
 * be opened while the current one lasts. Their results arrive in the mailbox, with the
 * number of the activity they belong to.
 *
 * @param <T> the type of the objects
 */
final class Requests<T> {

	/** C-046: client-go uses no shorter timeout. */
	private static final Duration LEAST_IN_CLIENT_GO = Duration.ofMinutes(5);

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final Mailbox<T> mailbox;

	private final MirrorObjects<T> held;

	/** Receives watches that end without the server ending them. */
	private final Consumer<BrokenAnswer> broken;

	private final MirrorSize size;

	private @Nullable Disposable present;

	private Mailbox.@Nullable WatchSubscriber<T> watch;

	private @Nullable Next<T> next;

	private WatchProgress progress = WatchProgress.NONE;

	private long begun;

	/** What is known of the current list or watch, or of the last one. */
	private @Nullable RequestProgress notes;

	/** Whether that request is still open. */
	private boolean open;

	/**
	 * How the last watch ended, when no other one was open; {@code null} after a list.
	 */
	private RequestEnd.@Nullable Reason last;

	Requests(LoopSetup<T> setup, @Nullable String namespace, Mailbox<T> mailbox, MirrorObjects<T> held, MirrorSize size,
			Consumer<BrokenAnswer> broken) {
		this.broken = broken;
		this.size = size;
		this.setup = setup;
		this.namespace = namespace;
		this.mailbox = mailbox;
		this.held = held;
	}

	/** Asks for the first page of a list. */
	void list(long activity, String version, int limit) {
		this.begun = now();
		this.notes = begin(Kind.LIST, version, null, this.begun, (answer) -> {
		});
		this.open = true;
		page(activity, version, limit, "");
	}

	private RequestProgress begin(Kind kind, String version, RequestEnd.@Nullable Reason after, long now,
			Consumer<BrokenAnswer> onBroken) {
		this.last = null;
		return new RequestProgress(this.setup, new ReflectorRequest(kind, this.namespace, version, after), now,
				onBroken);
	}

	/** Asks for the next page. */
	void nextPage(long activity, int limit, String continueToken) {
		notes().nextPage(now());
		page(activity, "", limit, continueToken);
	}

	private void page(long activity, String version, int limit, String continueToken) {
		ListOptions options = new ListOptions(this.namespace, version, limit, continueToken);
		RequestProgress notes = notes();
		attempt(activity, () -> this.present = Mono.defer(() -> this.setup.listerWatcher().list(options))
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("the source answered a list with nothing")))
			.contextWrite(this.held::in)
			.contextWrite((context) -> listening(context, notes))
			.subscribe((page) -> this.mailbox.post(new LoopMessage.Page<>(activity, page)),
					(error) -> this.mailbox.post(new LoopMessage.Failed<>(activity, error)), null, Mailbox.GIVEN_UP));
	}

	/** Reactor throws errors of the virtual machine, instead of passing them on. */
	private void attempt(long activity, Runnable request) {
		try {
			request.run();
		}
		catch (Throwable ex) {
			this.mailbox.post(new LoopMessage.Failed<>(activity, JvmFailureException.passable(ex)));
		}
	}

	/** Waits for the type. */
	void awaitType(long activity) {
		this.present = Mono.defer(() -> this.setup.listerWatcher().awaitType())
			// a failure is ignored: the loop has its own deadline
			.onErrorResume((error) -> Mono.never())
			.subscribe((nothing) -> {
			}, null, () -> this.mailbox.post(new LoopMessage.TypeDue<>(activity)), Mailbox.GIVEN_UP);
	}

	/** Waits for a sign of recovery, beside the delay. */
	void awaitRecovery(long activity, Mono<Void> recovery) {
		this.present = recovery
			// a failure is ignored: the delay continues
			.onErrorResume((error) -> Mono.never())
			.subscribe((nothing) -> {
			}, null, () -> this.mailbox.post(new LoopMessage.Elapsed<>(activity)), Mailbox.GIVEN_UP);
	}

	WatchOptions watchOptions(String version, boolean sendInitialEvents) {
		WatchSettings settings = this.setup.options().watch();
		Duration least = settings.minWatchTimeout();
		if (this.setup.clientGo() && least.compareTo(LEAST_IN_CLIENT_GO) < 0) {
			least = LEAST_IN_CLIENT_GO;
		}
		// a fresh value for every request, between the minimum and twice it
		double spread = 1 + this.setup.random().nextDouble();
		return new WatchOptions(this.namespace, version, Duration.ofSeconds((long) (least.toSeconds() * spread)),
				settings.bookmarks() || sendInitialEvents, sendInitialEvents);
	}

	/**
	 * Opens a watch.
	 * @return the options of the request
	 */
	WatchOptions watch(long activity, String version, boolean sendInitialEvents) {
		WatchOptions options = watchOptions(version, sendInitialEvents);
		this.begun = now();
		this.progress = WatchProgress.of(options, this.begun);
		RequestProgress notes = begin(sendInitialEvents ? Kind.STREAMED_LIST : Kind.WATCH, version,
				sendInitialEvents ? null : this.last, this.begun, this.broken);
		this.notes = notes;
		this.open = true;
		Mailbox.WatchSubscriber<T> subscriber = subscriber(activity, notes);
		this.watch = subscriber;
		this.present = subscriber;
		subscribe(activity, options, subscriber, notes);
		return options;
	}

	private Mailbox.WatchSubscriber<T> subscriber(long activity, RequestProgress notes) {
		return new Mailbox.WatchSubscriber<>(this.mailbox, activity, notes.observer(), this.setup.accessor(),
				this.setup.time());
	}

	/** Sends the request of a watch. */
	private void subscribe(long activity, WatchOptions options, Mailbox.WatchSubscriber<T> subscriber,
			RequestProgress notes) {
		Flux<WatchEvent<T>> events = Flux.defer(() -> this.setup.listerWatcher().watch(options))
			.contextWrite((context) -> listening(context, notes));
		attempt(activity, () -> (options.sendInitialEvents() ? events.contextWrite(this.held::in) : events)
			.subscribe(subscriber));
	}

	private Context listening(Context context, RequestProgress notes) {
		return RequestListener.in(RequestListener.in(context, this.size.guard(this.setup)), notes);
	}

	/** What is known of the current list or watch, or of the last one. */
	RequestProgress notes() {
		return Objects.requireNonNull(this.notes, "nothing was requested");
	}

	/** What ends the current request, if there is one. */
	void failed(Failure failure) {
		if (this.open) {
			notes().failed(failure);
		}
	}

	/**
	 * Opens the next watch, while the current one continues.
	 * @return the options of the request
	 */
	WatchOptions nextWatch(long activity, String version) {
		WatchOptions options = watchOptions(version, false);
		long now = now();
		RequestProgress notes = begin(Kind.WATCH, version, null, now, this.broken);
		Mailbox.WatchSubscriber<T> subscriber = subscriber(activity, notes);
		this.next = new Next<>(subscriber, WatchProgress.of(options, now), notes);
		subscribe(activity, options, subscriber, notes);
		return options;
	}

	/**
	 * Notes that the loop has handled a frame of the next watch, so that it may send
	 * more.
	 */
	void nextConsumed() {
		if (this.next != null) {
			this.next.subscriber().consumed();
		}
	}

	/** The server has accepted the next watch. */
	void nextOpened() {
		if (this.next != null) {
			this.next.notes().observer().opened();
		}
	}

	/** The next watch has ended without an error. */
	void nextClosed(boolean overdue) {
		if (this.next != null) {
			this.next.notes().closed(overdue);
		}
	}

	/** The next watch has failed. */
	void nextFailed(Failure failure) {
		if (this.next != null) {
			this.next.notes().failed(failure);
		}
	}

	/** Closes the current watch, and makes the next one the current one. */
	void takeOver() {
		Next<T> next = this.next;
		if (next != null) {
			notes().replaced();
			endPresent();
			this.last = null;
			this.notes = next.notes();
			this.open = true;
			this.next = null;
			this.watch = next.subscriber();
			this.present = next.subscriber();
			this.progress = next.progress();
		}
	}

	/** Closes the next watch. */
	void endNext() {
		if (this.next != null) {
			this.next.subscriber().dispose();
			ended(this.next.notes(), this.next.progress());
			this.next = null;
		}
	}

	/** Notes that the loop has handled a frame of the watch, so that it may send more. */
	void consumed() {
		if (this.watch != null) {
			this.watch.consumed();
		}
	}

	/** The stream has delivered the full state, and continues as the watch. */
	void inherit() {
		this.progress = this.progress.inherited(now());
	}

	/** How far the current watch, or the last one, has come. */
	WatchProgress progress() {
		return this.progress;
	}

	/** Time since the first page or the watch was requested. */
	Duration elapsed() {
		return Duration.ofNanos(now() - this.begun);
	}

	/** Cancels all requests. */
	void end() {
		endPresent();
		endNext();
	}

	private void endPresent() {
		if (this.present != null) {
			this.present.dispose();
			this.present = null;
		}
		if (!this.open) {
			return;
		}
		this.open = false;
		if (this.watch != null) {
			this.watch = null;
			this.last = ended(notes(), this.progress);
		}
		else {
			notes().end(now());
		}
	}

	private RequestEnd.Reason ended(RequestProgress notes, WatchProgress progress) {
		return notes.end(progress.elapsed(now()), progress.frames());
	}

	private long now() {
		return this.setup.time().nanoTime();
	}

	/** A watch that will follow the current one. */
	private record Next<T>(Mailbox.WatchSubscriber<T> subscriber, WatchProgress progress, RequestProgress notes) {

	}

}
