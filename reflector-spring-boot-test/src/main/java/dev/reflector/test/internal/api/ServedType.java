package dev.reflector.test.internal.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.reflector.ResourceType;

/**
 * A type that the server serves.
 *
 * @param type group, version, kind and plural
 * @param namespaced whether its objects live in namespaces
 * @param shortNames further names for use on the command line
 */
public record ServedType(ResourceType type, boolean namespaced, List<String> shortNames) {

	public ServedType {
		Objects.requireNonNull(type.plural(), "'plural' must not be null");
		shortNames = List.copyOf(shortNames);
	}

	public static ServedType of(String apiVersion, String kind, String plural, boolean namespaced,
			String... shortNames) {
		return new ServedType(ResourceType.of(apiVersion, kind, plural), namespaced, List.of(shortNames));
	}

	public String group() {
		return this.type.group();
	}

	public String version() {
		return this.type.version();
	}

	public String apiVersion() {
		return this.type.apiVersion();
	}

	public String kind() {
		return this.type.kind();
	}

	public String plural() {
		return Objects.requireNonNull(this.type.plural());
	}

	public String singular() {
		return kind().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the name of the type in messages.
	 * @return {@code plural.group}, or {@code plural} for the core group
	 */
	public String qualifiedPlural() {
		return group().isEmpty() ? plural() : plural() + "." + group();
	}

	public boolean is(String apiVersion, String plural) {
		return apiVersion().equals(apiVersion) && plural().equals(plural);
	}

	public IllegalArgumentException registeredAlready() {
		return new IllegalArgumentException("'" + plural() + "' of '" + apiVersion() + "' is registered already");
	}

	/**
	 * Whether the type is built into real servers. Real servers write lists of built-in
	 * types differently than lists of custom resources (W-15).
	 * @return whether it is built in
	 */
	public boolean builtIn() {
		return group().indexOf('.') < 0 || group().endsWith(".k8s.io");
	}

	/**
	 * Returns the beginning of the JSON of every object of the type.
	 * @return the opening brace and the fields {@code apiVersion} and {@code kind}
	 */
	public byte[] opening() {
		return ("{\"apiVersion\":" + quoted(apiVersion()) + ",\"kind\":" + quoted(kind()) + ",")
			.getBytes(StandardCharsets.UTF_8);
	}

	public static String quoted(String text) {
		return Json.MAPPER.writeValueAsString(text);
	}

}
