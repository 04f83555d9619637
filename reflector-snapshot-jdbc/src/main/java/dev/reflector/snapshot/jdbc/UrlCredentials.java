package dev.reflector.snapshot.jdbc;

import java.util.regex.Pattern;

/**
 * Removes credentials in the URLs of databases from messages.
 */
final class UrlCredentials {

	private static final Pattern PARAMETER = Pattern.compile("(?i)\\b(user|password|pwd|sslpassword)=[^&;\\s]*");

	private static final Pattern USER_INFO = Pattern.compile("//\\S*@");

	/** User and password in a URL of Oracle, which has them before the host. */
	private static final Pattern ORACLE = Pattern.compile("(?i)(jdbc:oracle:\\w+:)[^\\s/@]*/\\S*@");

	private UrlCredentials() {
	}

	/**
	 * Returns the part of a URL that names the place of a database, without credentials.
	 */
	static String place(String url) {
		return ORACLE.matcher(url).replaceFirst("$1@").split("[?;&]", 2)[0].replaceFirst("//.*@", "//");
	}

	static String removed(String text) {
		String plain = ORACLE.matcher(PARAMETER.matcher(text).replaceAll("$1=***")).replaceAll("$1@");
		return USER_INFO.matcher(plain).replaceAll("//");
	}

}
