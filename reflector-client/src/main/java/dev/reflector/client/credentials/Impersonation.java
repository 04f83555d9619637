package dev.reflector.client.credentials;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The user to act as, instead of the user of the credentials. The server checks that this
 * is allowed.
 *
 * @param user name of the user, or {@code null} for no impersonation
 * @param groups groups of the user
 * @param uid unique identifier of the user, or {@code null} for none
 * @param extra further attributes of the user
 * @since 0.1.0
 */
public record Impersonation(@Nullable String user, List<String> groups, @Nullable String uid,
		Map<String, List<String>> extra) {

	/** No impersonation. */
	public static final Impersonation NONE = new Impersonation(null, List.of(), null, Map.of());

	/**
	 * Creates an impersonation, and checks that it has a user if it has anything else.
	 */
	public Impersonation {
		groups = List.copyOf(groups);
		extra = Map.copyOf(extra);
		if (user == null && !(groups.isEmpty() && uid == null && extra.isEmpty())) {
			throw new IllegalArgumentException("groups, uid and extra can only be impersonated together with a user");
		}
	}

}
