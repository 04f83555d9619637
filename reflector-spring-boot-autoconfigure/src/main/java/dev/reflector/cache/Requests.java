package dev.reflector.cache;

import java.time.Duration;

import dev.reflector.cache.ReflectorOptions.Compatibility;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the requests of a list/watch loop. What comes of them arrives in its mailbox,
 * under the number of the activity they were made for.
 *
 * @param <T> the type of the objects
 */
final class Requests<T> {

	/** C-046: client-go takes no less. */
	private static final Duration LEAST_IN_CLIENT_GO = Duration.ofMinutes(5);

	private final SharedInformer.Config<T> config;

	private final @Nullable String namespace;

	private final Mailbox<T> mailbox;

	Requests(SharedInformer.Config<T> config, @Nullable String namespace, Mailbox<T> mailbox) {
		this.config = config;
		this.namespace = namespace;
		this.mailbox = mailbox;
	}

	Disposable list(long activity, String version, int limit, String continueToken) {
		ListOptions options = new ListOptions(this.namespace, version, limit, continueToken);
		return Mono.defer(() -> this.config.listerWatcher().list(options))
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("the source answered a list with nothing")))
			.subscribe((page) -> this.mailbox.post(new Mailbox.Page<>(activity, page)),
					(error) -> this.mailbox.post(new Mailbox.Failed<>(activity, error)), null, Mailbox.GIVEN_UP);
	}

	WatchOptions watchOptions(String version, boolean sendInitialEvents) {
		ReflectorOptions options = this.config.options();
		Duration least = options.minWatchTimeout();
		if (options.compatibility() == Compatibility.CLIENT_GO && least.compareTo(LEAST_IN_CLIENT_GO) < 0) {
			least = LEAST_IN_CLIENT_GO;
		}
		// 2.1: a fresh value for every request, between the minimum and twice it
		double spread = 1 + this.config.random().nextDouble();
		return new WatchOptions(this.namespace, version, Duration.ofSeconds((long) (least.toSeconds() * spread)),
				options.bookmarks() || sendInitialEvents, sendInitialEvents);
	}

	Mailbox.WatchSubscriber<T> watch(long activity, WatchOptions options) {
		Mailbox.WatchSubscriber<T> subscriber = new Mailbox.WatchSubscriber<>(this.mailbox, activity);
		Flux.defer(() -> this.config.listerWatcher().watch(options)).subscribe(subscriber);
		return subscriber;
	}

}
