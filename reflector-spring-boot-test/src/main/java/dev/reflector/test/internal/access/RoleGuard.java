package dev.reflector.test.internal.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.exchange.ServerExchange;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests with 403 for some time after each restart, like a server with RBAC
 * that has not read its roles yet.
 */
public final class RoleGuard {

	private static final String USER = "system:serviceaccount:default:embedded";

	private final Duration delay;

	private final InstantSource clock;

	private boolean started;

	private volatile @Nullable Instant ready;

	RoleGuard(Duration delay, InstantSource clock) {
		this.delay = delay;
		this.clock = clock;
	}

	/**
	 * Called when the server begins to listen. Except at the first start, requests are
	 * forbidden for some time from now.
	 */
	public synchronized void listening() {
		if (this.started) {
			this.ready = this.clock.instant().plus(this.delay);
		}
		this.started = true;
	}

	/**
	 * Checks a request for objects.
	 * @param exchange the request
	 * @param type the requested type
	 * @throws ApiFailure 403 if the roles have not been read yet
	 */
	public void check(ServerExchange exchange, ServedType type) {
		Instant ready = this.ready;
		if (ready != null && this.clock.instant().isBefore(ready)) {
			throw ApiFailure.forbidden(type, USER, exchange.received().isWatch() ? "watch" : verb(exchange));
		}
	}

	private static String verb(ServerExchange exchange) {
		return switch (exchange.received().method()) {
			case "GET" -> exchange.received().isList() ? "list" : "get";
			case "POST" -> "create";
			case "PUT" -> "update";
			case "PATCH" -> "patch";
			default -> "delete";
		};
	}

}
