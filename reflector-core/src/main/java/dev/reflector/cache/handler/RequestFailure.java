package dev.reflector.cache.handler;

import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a request of a reflector.
 *
 * @param status the status that the server returned, {@code null} when it returned none
 * @param reason machine-readable reason, for example {@code Forbidden} or
 * {@code ConnectionRefused}
 * @param message what happened, one line, human-readable
 * @param passing whether the failure is a 401 or 403 that is expected to be temporary,
 * because the server allowed such requests before
 * @since 0.1.0
 */
public record RequestFailure(@Nullable Status status, String reason, String message, boolean passing) {

}
