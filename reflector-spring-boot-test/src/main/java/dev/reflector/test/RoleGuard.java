package dev.reflector.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

/**
 * Forbids requests for a moment after each restart, as a server with RBAC does that has
 * not read its roles yet.
 */
final class RoleGuard {

	private static final String USER = "system:serviceaccount:default:embedded";

	private final Duration delay;

	private final InstantSource clock;

	private boolean started;

	private volatile @Nullable Instant ready;

	RoleGuard(Duration delay, InstantSource clock) {
		this.delay = delay;
		this.clock = clock;
	}

	/** The server begins to listen. */
	synchronized void listening() {
		if (this.started) {
			this.ready = this.clock.instant().plus(this.delay);
		}
		this.started = true;
	}

	/**
	 * Checks a request for objects.
	 * @param exchange the request
	 * @param type what it asks for
	 * @throws ApiFailure 403 while the roles are not known
	 */
	void check(Exchange exchange, ServedType type) {
		Instant ready = this.ready;
		if (ready != null && this.clock.instant().isBefore(ready)) {
			throw ApiFailure.forbidden(type, USER, exchange.recorded().isWatch() ? "watch" : verb(exchange));
		}
	}

	private static String verb(Exchange exchange) {
		return switch (exchange.recorded().method()) {
			case "GET" -> exchange.recorded().isList() ? "list" : "get";
			case "POST" -> "create";
			case "PUT" -> "update";
			case "PATCH" -> "patch";
			default -> "delete";
		};
	}

}
