package dev.reflector.snapshot.jdbc;

import java.util.regex.Pattern;

/**
 * Keeps credentials that stand in the URLs of databases out of messages.
 */
final class UrlCredentials {

	private static final Pattern PARAMETER = Pattern.compile("(?i)\\b(user|password|pwd|sslpassword)=[^&;\\s]*");

	private static final Pattern USER_INFO = Pattern.compile("//\\S*@");

	private UrlCredentials() {
	}

	/** A URL as far as it says where a database is. */
	static String place(String url) {
		return url.split("[?;&]", 2)[0].replaceFirst("//.*@", "//");
	}

	static String removed(String text) {
		return USER_INFO.matcher(PARAMETER.matcher(text).replaceAll("$1=***")).replaceAll("//");
	}

}
