package dev.reflector.client.credentials;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Whom to act as instead of the user that the credentials belong to. The server checks
 * that this is allowed.
 *
 * @param user name of the user, or {@code null} to act as oneself
 * @param groups groups of that user
 * @param uid unique identifier of that user, or {@code null} for none
 * @param extra further attributes of that user
 * @since 0.1.0
 */
public record Impersonation(@Nullable String user, List<String> groups, @Nullable String uid,
		Map<String, List<String>> extra) {

	/** Acts as the user that the credentials belong to. */
	public static final Impersonation NONE = new Impersonation(null, List.of(), null, Map.of());

	/** What may stand in the name of a header. */
	private static final String TOKEN_CHARACTERS = "!#$&'*+-.^_`|~";

	/**
	 * Checks that there is a user to act as.
	 */
	public Impersonation {
		groups = List.copyOf(groups);
		extra = Map.copyOf(extra);
		if (user == null && !(groups.isEmpty() && uid == null && extra.isEmpty())) {
			throw new IllegalArgumentException("groups, uid and extra can only be impersonated together with a user");
		}
	}

	public void apply(HttpHeaders headers) {
		if (this.user == null) {
			return;
		}
		headers.set("Impersonate-User", this.user);
		this.groups.forEach((group) -> headers.add("Impersonate-Group", group));
		if (this.uid != null) {
			headers.set("Impersonate-Uid", this.uid);
		}
		this.extra.forEach(
				(key, values) -> values.forEach((value) -> headers.add("Impersonate-Extra-" + encoded(key), value)));
	}

	/** The server decodes percent signs in what follows the prefix. */
	private static String encoded(String key) {
		StringBuilder name = new StringBuilder(key.length());
		for (byte octet : key.getBytes(StandardCharsets.UTF_8)) {
			boolean plain = (octet >= '0' && octet <= '9') || (octet >= 'a' && octet <= 'z')
					|| (octet >= 'A' && octet <= 'Z') || TOKEN_CHARACTERS.indexOf(octet) >= 0;
			if (plain) {
				name.append((char) octet);
			}
			else {
				name.append('%').append(HexFormat.of().withUpperCase().toHexDigits(octet));
			}
		}
		return name.toString();
	}

}
