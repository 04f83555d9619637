package dev.reflector.snapshot.jdbc;

import java.util.regex.Pattern;

/**
 * Removes credentials in the URLs of databases from messages.
 */
final class UrlCredentials {

	private static final Pattern PARAMETER = Pattern.compile("(?i)\\b(user|password|pwd|sslpassword)=[^&;\\s]*");

	private static final Pattern USER_INFO = Pattern.compile("//\\S*@");

	private UrlCredentials() {
	}

	/**
	 * Returns the part of a URL that names the place of a database, without credentials.
	 */
	static String place(String url) {
		return url.split("[?;&]", 2)[0].replaceFirst("//.*@", "//");
	}

	static String removed(String text) {
		return USER_INFO.matcher(PARAMETER.matcher(text).replaceAll("$1=***")).replaceAll("//");
	}

}
