package dev.reflector.client.internal.discovery;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.cache.source.ApiException;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.Exchange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Identifies a cluster by the uid of the namespace {@code kube-system} and by the URL of
 * the server. Every cluster has this namespace, and restoring a cluster from a backup
 * does not change its uid. If the server refuses to send the uid, only the URL is
 * returned. This result is not remembered, because a server that has just restarted may
 * refuse for a moment.
 */
public final class ServerIdentity {

	private static final String PATH = "/api/v1/namespaces/kube-system";

	private static final String ACCEPT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final int MAX_BODY = 1024 * 1024;

	private static final int SERVER_ERROR = 500;

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int FORBIDDEN = 403;

	private static final Logger logger = LoggerFactory.getLogger(ServerIdentity.class);

	private final Mono<String> request;

	/** The request that is in progress or has succeeded, or {@code null} for none. */
	private final AtomicReference<@Nullable Mono<String>> asked = new AtomicReference<>();

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates the identity of a server. Makes no request.
	 * @param exchange makes requests
	 * @param server the URL of the server
	 */
	public ServerIdentity(Exchange exchange, URI server) {
		ApiRequest request = ApiRequest.get(server, PATH).accepting(ACCEPT);
		String url = "url:" + normalized(server);
		// a larger response is no namespace: it is cut off, and then is no valid JSON
		Mono<String> sent = exchange.send(request, (answer) -> answer.body(MAX_BODY).map(ServerIdentity::uid).flux())
			.single();
		this.request = exchange.limited(sent, request.toString())
			.map((uid) -> uid.isEmpty() ? url : "uid:" + uid + " " + url)
			.doOnError(ServerIdentity::isForbidden, (ex) -> warn(url))
			.onErrorReturn((ex) -> ex instanceof ApiException refusal && isRefusal(refusal.status().code()), url);
	}

	/**
	 * Returns the identity. Sends a request, unless the server has already sent the uid.
	 * @return {@code uid:UID url:URL}, or {@code url:URL} if the server refuses to send
	 * the uid; an error if the server does not respond
	 */
	public Mono<String> get() {
		return Mono.defer(() -> Objects
			.requireNonNull(this.asked.updateAndGet((present) -> (present != null) ? present : shared())));
	}

	/**
	 * Returns a request that is shared by all callers. If the request fails or returns no
	 * uid, the next caller sends another one.
	 */
	private Mono<String> shared() {
		return this.request.doOnError((ex) -> this.asked.set(null)).doOnNext((identity) -> {
			if (!identity.startsWith("uid:")) {
				this.asked.set(null);
			}
		}).cache();
	}

	/**
	 * Returns the URL in a normal form: in lower case, without a default port and without
	 * slashes at the end.
	 */
	private static String normalized(URI server) {
		String scheme = server.getScheme().toLowerCase(Locale.ROOT);
		boolean usual = server.getPort() == (scheme.equals("https") ? 443 : 80);
		String path = server.getRawPath();
		return scheme + "://" + server.getHost().toLowerCase(Locale.ROOT)
				+ ((server.getPort() < 0 || usual) ? "" : ":" + server.getPort())
				+ ((path != null) ? path.replaceAll("/+$", "") : "");
	}

	private void warn(String url) {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("The server forbids to get the namespace 'kube-system', so durable mirrors know the cluster by "
					+ "its URL only ({}). If another cluster gets this URL, all stored objects will be delivered as "
					+ "deleted. Grant this permission", url);
		}
	}

	private static boolean isForbidden(Throwable failure) {
		return failure instanceof ApiException refusal && refusal.status().code() == FORBIDDEN;
	}

	private static boolean isRefusal(int code) {
		return code < SERVER_ERROR && code != TOO_MANY_REQUESTS;
	}

	private static String uid(byte[] body) {
		try {
			return JSON.readTree(body).path("metadata").path("uid").asString("");
		}
		catch (JacksonException ex) {
			return "";
		}
	}

}
