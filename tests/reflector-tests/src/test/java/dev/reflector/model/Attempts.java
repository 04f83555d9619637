package dev.reflector.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.model.Call.Kind;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.util.context.ContextView;

/**
 * Observes within the HTTP client, below the code that is tested, how often each
 * requested list or watch is sent. It must be sent once, and once more for each kept
 * connection that was lost before the response began: the server may have closed the
 * connection before it got the request (C-456). It may also have got the request, so a
 * server can have more requests than the reflector has made. Any other repetition is a
 * mistake.
 */
final class Attempts {

	/** Set on connections that have served a request. */
	private static final AttributeKey<Boolean> KEPT = AttributeKey.valueOf(Attempts.class, "kept");

	private static final String COLLECTION = "/widgets";

	/** The last attempt of each request of the reflector. */
	private final Map<Call, Attempt> last = new HashMap<>();

	private final List<String> mistakes = new ArrayList<>();

	private int lists;

	private int watches;

	private int repeated;

	/** Returns the same client, observed. */
	HttpClient observe(HttpClient client) {
		return client.doOnRequest(this::sends)
			.doOnResponse((response, connection) -> answered(response.currentContextView()))
			.doOnRequestError((request, error) -> failed(request.currentContextView()));
	}

	private synchronized void sends(HttpClientRequest request, Connection connection) {
		boolean kept = connection.channel().attr(KEPT).getAndSet(true) != null;
		// discovery may be a part of the same request of the reflector
		if (!("/" + request.path()).endsWith(COLLECTION)) {
			return;
		}
		Call call = request.currentContextView().getOrDefault(Call.class, null);
		if (call == null) {
			this.mistakes.add("sent without being asked for: " + request.method() + " " + request.uri());
			return;
		}
		Attempt before = this.last.put(call, new Attempt(kept));
		if (before != null) {
			this.repeated++;
			String mistake = before.mistakeToRepeat();
			if (mistake != null) {
				this.mistakes.add("sent again, although the attempt before it " + mistake + ": " + call);
			}
		}
		if (call.kind == Kind.LIST) {
			this.lists++;
		}
		else {
			this.watches++;
		}
	}

	private synchronized void answered(ContextView context) {
		Attempt attempt = attempt(context);
		if (attempt != null) {
			attempt.answered = true;
		}
	}

	/** Called before the code that is tested gets the error. */
	private synchronized void failed(ContextView context) {
		Attempt attempt = attempt(context);
		if (attempt != null) {
			attempt.failed = true;
		}
	}

	private @Nullable Attempt attempt(ContextView context) {
		Call call = context.getOrDefault(Call.class, null);
		return (call != null) ? this.last.get(call) : null;
	}

	/** Requests that were sent without a reason. */
	synchronized List<String> mistakes() {
		return List.copyOf(this.mistakes);
	}

	/** How often lists were sent. */
	synchronized int lists() {
		return this.lists;
	}

	/** How often watches were sent. */
	synchronized int watches() {
		return this.watches;
	}

	/** How often a list or a watch was sent again. */
	synchronized int repeated() {
		return this.repeated;
	}

	/**
	 * A request on a connection.
	 */
	private static final class Attempt {

		private final boolean kept;

		private boolean answered;

		private boolean failed;

		private Attempt(boolean kept) {
			this.kept = kept;
		}

		private @Nullable String mistakeToRepeat() {
			return this.answered ? "was answered"
					: !this.failed ? "has not failed" : !this.kept ? "had a new connection" : null;
		}

	}

}
