package dev.reflector.test.internal.write;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Finds fields that occur twice. With {@code fieldValidation=Strict}, refuses writes with
 * such fields or with unknown fields.
 */
public final class StrictDecoding {

	private StrictDecoding() {
	}

	static List<String> unknown(List<String> paths) {
		return paths.stream().map((path) -> "unknown field \"" + path + "\"").toList();
	}

	/**
	 * Returns the fields that occur twice in a JSON text.
	 * @param json an object, or the array of a JSON patch
	 * @return one message for each field
	 */
	static List<String> repeated(byte[] json) {
		List<String> repeated = new ArrayList<>();
		try (JsonParser parser = Json.MAPPER.createParser(new ByteArrayInputStream(json))) {
			parser.nextToken();
			visit(parser, "", repeated);
		}
		catch (JacksonException ex) {
			// the JSON is malformed; this is reported when it is decoded
			return List.of();
		}
		return repeated.stream()
			.map((path) -> (path.startsWith("[") ? "json patch " : "") + "duplicate field \"" + path + "\"")
			.toList();
	}

	private static void visit(JsonParser parser, String path, List<String> repeated) {
		if (parser.currentToken() == JsonToken.START_OBJECT) {
			Set<String> names = new HashSet<>();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String below = path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
				if (!names.add(parser.currentName())) {
					repeated.add(below);
				}
				parser.nextToken();
				visit(parser, below, repeated);
			}
		}
		else if (parser.currentToken() == JsonToken.START_ARRAY) {
			for (int place = 0; parser.nextToken() != JsonToken.END_ARRAY; place++) {
				visit(parser, path + "[" + place + "]", repeated);
			}
		}
	}

	/**
	 * Throws an exception that refuses a write, if there are problems.
	 * @param type the type of the object
	 * @param problems the problems of the object
	 * @param patched the text of the object after the patch, empty if the write is not a
	 * patch
	 */
	static void refuse(ServedType type, List<String> problems, String patched) {
		String said = "strict decoding error: " + String.join(", ", problems);
		if (patched.isEmpty()) {
			throw ApiFailure.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
					+ type.kind() + ": " + said);
		}
		throw ApiFailure.invalidPatch(List.of(new Status.Cause("FieldValueInvalid",
				"Invalid value: " + ServedType.quoted(patched) + ": " + said, "patch")));
	}

}
