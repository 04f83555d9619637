package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.function.Consumer;

import dev.reflector.cache.config.WatchSettings;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the requests of a list/watch loop: one at a time, except that the next watch may
 * be opened while the present one lasts. What comes of them arrives in its mailbox, under
 * the number of the activity they were made for.
 *
 * @param <T> the type of the objects
 */
final class Requests<T> {

	/** C-046: client-go takes no less. */
	private static final Duration LEAST_IN_CLIENT_GO = Duration.ofMinutes(5);

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final Mailbox<T> mailbox;

	private final Held<T> held;

	/** Hears of watches that do not end in order. */
	private final Consumer<BrokenAnswer> broken;

	private @Nullable Disposable present;

	private Mailbox.@Nullable WatchSubscriber<T> watch;

	private @Nullable Next<T> next;

	private WatchProgress progress = WatchProgress.NONE;

	private long begun;

	/** Of the page or watch that was asked for last. */
	private RequestNotes notes;

	Requests(LoopSetup<T> setup, @Nullable String namespace, Mailbox<T> mailbox, Held<T> held,
			Consumer<BrokenAnswer> broken) {
		this.broken = broken;
		this.setup = setup;
		this.namespace = namespace;
		this.mailbox = mailbox;
		this.held = held;
		this.notes = new RequestNotes(0, broken);
	}

	/** Asks for the first page of a list. */
	void list(long activity, String version, int limit) {
		this.begun = now();
		page(activity, version, limit, "");
	}

	/** Asks for the next page. */
	void nextPage(long activity, int limit, String continueToken) {
		page(activity, "", limit, continueToken);
	}

	private void page(long activity, String version, int limit, String continueToken) {
		ListOptions options = new ListOptions(this.namespace, version, limit, continueToken);
		RequestNotes notes = new RequestNotes(now(), (answer) -> {
		});
		this.notes = notes;
		this.present = Mono.defer(() -> this.setup.listerWatcher().list(options))
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("the source answered a list with nothing")))
			.contextWrite(this.held::in)
			.contextWrite((context) -> RequestListener.in(context, notes))
			.subscribe((page) -> this.mailbox.post(new Mailbox.Page<>(activity, page)),
					(error) -> this.mailbox.post(new Mailbox.Failed<>(activity, error)), null, Mailbox.GIVEN_UP);
	}

	/** Waits for the type. */
	void awaitType(long activity) {
		this.present = Mono.defer(() -> this.setup.listerWatcher().awaitType())
			// as good as nothing said: the loop has a deadline of its own
			.onErrorResume((error) -> Mono.never())
			.subscribe((nothing) -> {
			}, null, () -> this.mailbox.post(new Mailbox.TypeDue<>(activity)), Mailbox.GIVEN_UP);
	}

	/** Waits for a sign that it is worth trying again, beside the delay. */
	void awaitRecovery(long activity, Mono<Void> recovery) {
		this.present = recovery
			// the delay goes on
			.onErrorResume((error) -> Mono.never())
			.subscribe((nothing) -> {
			}, null, () -> this.mailbox.post(new Mailbox.Elapsed<>(activity)), Mailbox.GIVEN_UP);
	}

	WatchOptions watchOptions(String version, boolean sendInitialEvents) {
		WatchSettings settings = this.setup.options().watch();
		Duration least = settings.minWatchTimeout();
		if (this.setup.clientGo() && least.compareTo(LEAST_IN_CLIENT_GO) < 0) {
			least = LEAST_IN_CLIENT_GO;
		}
		// 2.1: a fresh value for every request, between the minimum and twice it
		double spread = 1 + this.setup.random().nextDouble();
		return new WatchOptions(this.namespace, version, Duration.ofSeconds((long) (least.toSeconds() * spread)),
				settings.bookmarks() || sendInitialEvents, sendInitialEvents);
	}

	/**
	 * Opens a watch.
	 * @return what is asked for
	 */
	WatchOptions watch(long activity, String version, boolean sendInitialEvents) {
		WatchOptions options = watchOptions(version, sendInitialEvents);
		this.begun = now();
		this.progress = WatchProgress.of(options, this.begun);
		Mailbox.WatchSubscriber<T> subscriber = new Mailbox.WatchSubscriber<>(this.mailbox, activity);
		this.watch = subscriber;
		this.present = subscriber;
		subscribe(options, subscriber);
		return options;
	}

	private void subscribe(WatchOptions options, Mailbox.WatchSubscriber<T> subscriber) {
		RequestNotes notes = new RequestNotes(now(), this.broken);
		this.notes = notes;
		Flux<WatchEvent<T>> events = Flux.defer(() -> this.setup.listerWatcher().watch(options))
			.contextWrite((context) -> RequestListener.in(context, notes));
		(options.sendInitialEvents() ? events.contextWrite(this.held::in) : events).subscribe(subscriber);
	}

	/** What is known of the page or watch that was asked for last. */
	RequestNotes notes() {
		return this.notes;
	}

	/**
	 * Opens the next watch, while the present one goes on.
	 * @return what is asked for
	 */
	WatchOptions nextWatch(long activity, String version) {
		WatchOptions options = watchOptions(version, false);
		Mailbox.WatchSubscriber<T> subscriber = new Mailbox.WatchSubscriber<>(this.mailbox, activity);
		this.next = new Next<>(subscriber, WatchProgress.of(options, now()));
		subscribe(options, subscriber);
		return options;
	}

	/** Has the next watch deliver as many frames more as the loop has dealt with. */
	void nextConsumed() {
		if (this.next != null) {
			this.next.subscriber().consumed();
		}
	}

	/** Closes the present watch, and makes the next one the present one. */
	void takeOver() {
		Next<T> next = this.next;
		if (next != null) {
			endPresent();
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
			watched(this.next.progress());
			this.next = null;
		}
	}

	/** Has the watch deliver as many frames more as the loop has dealt with. */
	void consumed() {
		if (this.watch != null) {
			this.watch.consumed();
		}
	}

	/** The stream has brought the full state, and goes on as the watch. */
	void inherit() {
		this.progress = this.progress.inherited(now());
	}

	/** How far the present watch, or the last one, has come. */
	WatchProgress progress() {
		return this.progress;
	}

	/** Time since the first page or the watch was asked for. */
	Duration elapsed() {
		return Duration.ofNanos(now() - this.begun);
	}

	/** Gives up what is being asked for. */
	void end() {
		endPresent();
		endNext();
	}

	private void endPresent() {
		if (this.present != null) {
			this.present.dispose();
			this.present = null;
		}
		if (this.watch != null) {
			this.watch = null;
			watched(this.progress);
		}
	}

	private void watched(WatchProgress progress) {
		this.setup.observer().watched(progress.elapsed(now()), progress.frames());
	}

	private long now() {
		return this.setup.time().nanoTime();
	}

	/** A watch that is to follow the present one. */
	private record Next<T>(Mailbox.WatchSubscriber<T> subscriber, WatchProgress progress) {

	}

}
