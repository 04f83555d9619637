package dev.reflector.client;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import dev.reflector.client.credentials.Impersonation;

import org.springframework.http.HttpHeaders;

/** Adds the user to impersonate to the headers of requests. */
final class ImpersonationHeaders {

	/** The characters that a header name may have in addition to letters and digits. */
	private static final String TOKEN_CHARACTERS = "!#$&'*+-.^_`|~";

	private ImpersonationHeaders() {
	}

	static void add(Impersonation impersonation, HttpHeaders headers) {
		if (impersonation.user() == null) {
			return;
		}
		headers.set("Impersonate-User", impersonation.user());
		impersonation.groups().forEach((group) -> headers.add("Impersonate-Group", group));
		if (impersonation.uid() != null) {
			headers.set("Impersonate-Uid", impersonation.uid());
		}
		impersonation.extra()
			.forEach((key, values) -> values
				.forEach((value) -> headers.add("Impersonate-Extra-" + encoded(key), value)));
	}

	/**
	 * Encodes the key of an extra attribute with percent signs, so that it can be a part
	 * of a header name. The server decodes it.
	 */
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
