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
 * Makes the requests of a list/watch loop. The results of a request arrive in the
 * mailbox, with the number of the activity that the request belongs to. {@link #end()}
 * ends all requests except watches. The {@link WatchChain} ends watches.
 *
 * @param <T> the type of the objects
 */
final class Requests<T> {

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final Mailbox<T> mailbox;

	private final MirrorObjects<T> held;

	/**
	 * Receives the reason if the answer to a watch is cut off before the server has ended
	 * the watch.
	 */
	private final Consumer<BrokenAnswer> broken;

	private final MirrorSize size;

	private @Nullable Disposable present;

	/** The progress of the list that is open. */
	private @Nullable RequestProgress list;

	Requests(LoopSetup<T> setup, @Nullable String namespace, Mailbox<T> mailbox, MirrorObjects<T> held, MirrorSize size,
			Consumer<BrokenAnswer> broken) {
		this.broken = broken;
		this.size = size;
		this.setup = setup;
		this.namespace = namespace;
		this.mailbox = mailbox;
		this.held = held;
	}

	/** Requests the first page of a list. */
	void list(long activity, String version, int limit) {
		this.list = begin(Kind.LIST, version, null, (answer) -> {
		});
		page(activity, version, limit, "");
	}

	private RequestProgress begin(Kind kind, String version, RequestEnd.@Nullable Reason after,
			Consumer<BrokenAnswer> onBroken) {
		return new RequestProgress(this.setup, new ReflectorRequest(kind, this.namespace, version, after), onBroken);
	}

	/** Requests the next page. */
	void nextPage(long activity, int limit, String continueToken) {
		notes().nextPage();
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

	/**
	 * Makes a request. If the request throws an error, posts the error as its result.
	 * Needed because Reactor throws errors of the virtual machine instead of passing them
	 * to the subscriber.
	 */
	private void attempt(long activity, Runnable request) {
		try {
			request.run();
		}
		catch (Throwable ex) {
			this.mailbox.post(new LoopMessage.Failed<>(activity, JvmFailureException.passable(ex)));
		}
	}

	/** Waits until the source announces that the server serves the type. */
	void awaitType(long activity) {
		this.present = Mono.defer(() -> this.setup.listerWatcher().awaitType())
			// a failure is ignored, because the loop makes a request after its delay
			// anyway
			.onErrorResume((error) -> Mono.never())
			.subscribe((nothing) -> {
			}, null, () -> this.mailbox.post(new LoopMessage.TypeDue<>(activity)), Mailbox.GIVEN_UP);
	}

	/** Ends the delay early if the source announces that the server has recovered. */
	void awaitRecovery(long activity, Mono<Void> recovery) {
		this.present = recovery
			// a failure is ignored: the delay continues
			.onErrorResume((error) -> Mono.never())
			.subscribe((nothing) -> {
			}, null, () -> this.mailbox.post(new LoopMessage.Elapsed<>(activity)), Mailbox.GIVEN_UP);
	}

	WatchOptions watchOptions(String version, boolean sendInitialEvents) {
		WatchSettings settings = this.setup.options().watch();
		Duration least = this.setup.behaviour().minWatchTimeout(settings.minWatchTimeout());
		// a random value for every request, between the minimum and twice the minimum
		double spread = 1 + this.setup.random().nextDouble();
		return new WatchOptions(this.namespace, version, Duration.ofSeconds((long) (least.toSeconds() * spread)),
				settings.bookmarks() || sendInitialEvents, sendInitialEvents);
	}

	/**
	 * Opens a watch.
	 * @param activity the number of the new watch's activity, which the messages of the
	 * watch contain
	 * @param version the version to begin at
	 * @param sendInitialEvents whether the full state comes first
	 * @param after why the previous watch has ended, or {@code null} if this watch does
	 * not follow another one
	 * @return the watch
	 */
	Watch<T> watch(long activity, String version, boolean sendInitialEvents, RequestEnd.@Nullable Reason after) {
		WatchOptions options = watchOptions(version, sendInitialEvents);
		RequestProgress notes = begin(sendInitialEvents ? Kind.STREAMED_LIST : Kind.WATCH, version, after, this.broken);
		Watch<T> watch = new Watch<>(this.setup, this.mailbox, activity, options, notes);
		Flux<WatchEvent<T>> events = Flux.defer(() -> this.setup.listerWatcher().watch(options))
			.contextWrite((context) -> listening(context, notes));
		attempt(activity,
				() -> (sendInitialEvents ? events.contextWrite(this.held::in) : events).subscribe(watch.subscriber()));
		return watch;
	}

	private Context listening(Context context, RequestProgress notes) {
		return RequestListener.in(RequestListener.in(context, this.size.guard(this.setup)), notes);
	}

	/** Returns the progress of the list that is open. */
	RequestProgress notes() {
		return Objects.requireNonNull(this.list, "no list is open");
	}

	/** Notes the failure that ends the list, if one is open. */
	void failed(Failure failure) {
		if (this.list != null) {
			this.list.failed(failure);
		}
	}

	/** Ends all requests except watches. */
	void end() {
		if (this.present != null) {
			this.present.dispose();
			this.present = null;
		}
		if (this.list != null) {
			this.list.end();
			this.list = null;
		}
	}

}
