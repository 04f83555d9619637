package dev.reflector.test.internal.write;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks names, labels, annotations, finalizers and owners. Errors have the words of a
 * real server.
 */
final class MetadataChecks {

	private static final String SUBDOMAIN_REGEX = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

	private static final String NAME_REGEX = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

	private static final Pattern SUBDOMAIN = Pattern.compile(SUBDOMAIN_REGEX);

	private static final Pattern NAME = Pattern.compile(NAME_REGEX);

	private static final int MAX_SUBDOMAIN = 253;

	private static final int MAX_NAME = 63;

	private static final int MAX_ANNOTATIONS = 256 * 1024;

	private static final String NOT_A_SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case "
			+ "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
			+ "'example.com', regex used for validation is '" + SUBDOMAIN_REGEX + "')";

	private static final String NOT_A_NAME = "must consist of alphanumeric characters, '-', '_' or '.', and must start "
			+ "and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
			+ "validation is '" + NAME_REGEX + "')";

	private static final String NOT_A_VALUE = "a valid label must be an empty string or consist of alphanumeric "
			+ "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
			+ "'my_value',  or '12345', regex used for validation is '(" + NAME_REGEX + ")?')";

	private static final List<String> OWNER = List.of("apiVersion", "kind", "name", "uid");

	private final List<Status.Cause> causes = new ArrayList<>();

	private MetadataChecks() {
	}

	/** Returns the errors in the name of an object, empty if the name is valid. */
	static List<String> name(String name) {
		return subdomain(name, "characters");
	}

	/** Returns the errors in the metadata of an object that is created. */
	static List<Status.Cause> created(JsonNode metadata) {
		MetadataChecks checks = new MetadataChecks();
		checks.common(metadata);
		checks.finalizers(metadata);
		return checks.causes;
	}

	/**
	 * Returns the errors in the metadata of an object that is changed. Most errors are
	 * returned three times, because a real server checks three times.
	 */
	static List<Status.Cause> changed(JsonNode metadata) {
		MetadataChecks checks = new MetadataChecks();
		for (int i = 0; i < 3; i++) {
			checks.common(metadata);
		}
		checks.finalizers(metadata);
		return checks.causes;
	}

	private void common(JsonNode metadata) {
		metadata.path("labels").forEachEntry((key, value) -> {
			invalid("labels", key, qualified(key));
			String text = value.asString("");
			invalid("labels", text, value(text));
		});
		annotations(metadata.path("annotations"));
		owners(metadata.path("ownerReferences"));
	}

	private void annotations(JsonNode annotations) {
		int[] size = new int[1];
		annotations.forEachEntry((key, value) -> {
			invalid("annotations", key, qualified(key.toLowerCase(Locale.ROOT)));
			size[0] += bytes(key) + bytes(value.asString(""));
		});
		if (size[0] > MAX_ANNOTATIONS) {
			this.causes.add(new Status.Cause("FieldValueTooLong",
					"Too long: may not be more than " + MAX_ANNOTATIONS + " bytes", "metadata.annotations"));
		}
	}

	private void finalizers(JsonNode metadata) {
		metadata.path("finalizers")
			.forEach((finalizer) -> invalid("finalizers", finalizer.asString(""), qualified(finalizer.asString(""))));
	}

	private void owners(JsonNode owners) {
		List<String> controllers = new ArrayList<>();
		ArrayNode all = Json.object().arrayNode();
		owners.forEach((owner) -> {
			String apiVersion = Json.text(owner, "apiVersion");
			if (apiVersion.isEmpty() || apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
				invalid("ownerReferences.apiVersion", apiVersion, List.of("version must not be empty"));
			}
			OWNER.stream()
				.skip(1)
				.filter((field) -> Json.text(owner, field).isEmpty())
				.forEach((field) -> invalid("ownerReferences." + field, "", List.of("must not be empty")));
			ObjectNode copy = all.addObject();
			OWNER.forEach((field) -> copy.put(field, Json.text(owner, field)));
			copy.setAll((ObjectNode) owner);
			if (owner.path("controller").asBoolean(false)) {
				controllers.add(Json.text(owner, "kind") + "/" + Json.text(owner, "name"));
			}
		});
		if (controllers.size() > 1) {
			this.causes.add(new Status.Cause("FieldValueInvalid",
					"Invalid value: " + all + ": Only one reference can have Controller set to true. Found \"true\" in "
							+ "references for " + controllers.get(0) + " and " + controllers.get(1),
					"metadata.ownerReferences"));
		}
	}

	private void invalid(String field, String value, List<String> problems) {
		problems.forEach((problem) -> this.causes.add(new Status.Cause("FieldValueInvalid",
				"Invalid value: \"" + value + "\": " + problem, "metadata." + field)));
	}

	private static List<String> qualified(String key) {
		String[] parts = key.split("/", -1);
		if (parts.length > 2) {
			return List.of("a valid label key " + NOT_A_NAME
					+ " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
		}
		List<String> problems = new ArrayList<>();
		if (parts.length == 2) {
			List<String> prefix = parts[0].isEmpty() ? List.of("must be non-empty") : subdomain(parts[0], "bytes");
			prefix.forEach((problem) -> problems.add("prefix part " + problem));
		}
		String name = parts[parts.length - 1];
		if (name.isEmpty()) {
			problems.add("name part must be non-empty");
		}
		else if (bytes(name) > MAX_NAME) {
			problems.add("name part must be no more than " + MAX_NAME + " bytes");
		}
		if (!NAME.matcher(name).matches()) {
			problems.add("name part " + NOT_A_NAME);
		}
		return problems;
	}

	private static List<String> value(String value) {
		List<String> problems = new ArrayList<>();
		if (bytes(value) > MAX_NAME) {
			problems.add("must be no more than " + MAX_NAME + " bytes");
		}
		if (!value.isEmpty() && !NAME.matcher(value).matches()) {
			problems.add(NOT_A_VALUE);
		}
		return problems;
	}

	private static List<String> subdomain(String name, String unit) {
		List<String> problems = new ArrayList<>();
		if (bytes(name) > MAX_SUBDOMAIN) {
			problems.add("must be no more than " + MAX_SUBDOMAIN + " " + unit);
		}
		if (!SUBDOMAIN.matcher(name).matches()) {
			problems.add(NOT_A_SUBDOMAIN);
		}
		return problems;
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
