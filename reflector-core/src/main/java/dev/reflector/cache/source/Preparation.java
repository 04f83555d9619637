package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * What a request waits for before it is sent, such as a program that gives credentials.
 * Told by what sends the request, in the context of the request.
 *
 * @since 0.1.0
 */
public final class Preparation {

	private volatile @Nullable String subject;

	public Preparation() {
	}

	/**
	 * Tells the request for whose sake something is prepared.
	 * @param <T> what is prepared
	 * @param subject what the request waits for
	 * @param preparation prepares it
	 * @return the same preparation
	 */
	public static <T> Mono<T> of(Object subject, Mono<T> preparation) {
		return Mono.deferContextual((context) -> context.<Preparation>getOrEmpty(Preparation.class)
			.map((request) -> preparation.doOnSubscribe((subscription) -> request.subject = subject.toString())
				.doFinally((signal) -> request.subject = null))
			.orElse(preparation));
	}

	public Context in(Context context) {
		return context.put(Preparation.class, this);
	}

	/** What the request waits for, or {@code null} when it has been sent. */
	@Nullable public String subject() {
		return this.subject;
	}

}
