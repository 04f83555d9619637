package dev.reflector.client.internal.discovery;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.cache.source.ApiException;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.Exchange;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Identifies a cluster: by the uid of the namespace {@code kube-system}, which every
 * cluster has and which is made with the cluster, and by the URL of the server. Restoring
 * a cluster from a backup does not change its uid. If the server refuses to send the uid,
 * the URL alone is returned and not remembered, because a server may refuse for a moment
 * after its own restart.
 */
public final class ServerIdentity {

	private static final String PATH = "/api/v1/namespaces/kube-system";

	private static final String ACCEPT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final int MAX_BODY = 1024 * 1024;

	private static final int SERVER_ERROR = 500;

	private static final int TOO_MANY_REQUESTS = 429;

	private final Mono<String> request;

	/** The request that is in progress or has succeeded. */
	private final AtomicReference<@Nullable Mono<String>> asked = new AtomicReference<>();

	/**
	 * Creates the identity of a server. Makes no request.
	 * @param exchange makes requests
	 * @param server the URL of the server
	 */
	public ServerIdentity(Exchange exchange, URI server) {
		ApiRequest request = ApiRequest.get(server, PATH).accepting(ACCEPT);
		String url = "url:" + normalized(server);
		this.request = exchange
			// a larger response is not a namespace: it is read incompletely, and so is
			// malformed
			.send(request, (answer) -> answer.body(MAX_BODY).map(ServerIdentity::uid).flux())
			.single()
			.map((uid) -> uid.isEmpty() ? url : "uid:" + uid + " " + url)
			.onErrorReturn((ex) -> ex instanceof ApiException refusal && isRefusal(refusal.status().code()), url);
	}

	/**
	 * Returns the identity. It is requested until the server has sent the uid, which is
	 * then remembered.
	 * @return {@code uid:UID url:URL}, or {@code url:URL} when the server refuses to send
	 * the uid now; an error when it does not answer now
	 */
	public Mono<String> get() {
		return Mono.defer(() -> Objects
			.requireNonNull(this.asked.updateAndGet((present) -> (present != null) ? present : shared())));
	}

	/**
	 * Returns one request for all present callers. It is dropped if it fails or returns
	 * no uid.
	 */
	private Mono<String> shared() {
		return this.request.doOnError((ex) -> this.asked.set(null)).doOnNext((identity) -> {
			if (!identity.startsWith("uid:")) {
				this.asked.set(null);
			}
		}).cache();
	}

	/** Returns the same URL for the same server, without parts that may be left out. */
	private static String normalized(URI server) {
		String scheme = server.getScheme().toLowerCase(Locale.ROOT);
		boolean usual = server.getPort() == (scheme.equals("https") ? 443 : 80);
		String path = server.getRawPath();
		return scheme + "://" + server.getHost().toLowerCase(Locale.ROOT)
				+ ((server.getPort() < 0 || usual) ? "" : ":" + server.getPort())
				+ ((path != null) ? path.replaceAll("/+$", "") : "");
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
