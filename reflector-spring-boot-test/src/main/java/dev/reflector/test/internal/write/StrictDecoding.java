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
 * What {@code fieldValidation=Strict} turns down: fields that the schema does not know,
 * and fields that are there twice.
 */
public final class StrictDecoding {

	private StrictDecoding() {
	}

	static List<String> unknown(List<String> paths) {
		return paths.stream().map((path) -> "unknown field \"" + path + "\"").toList();
	}

	/**
	 * The fields that JSON has twice.
	 * @param json the JSON
	 * @return one text for each
	 */
	static List<String> repeated(byte[] json) {
		List<String> repeated = new ArrayList<>();
		try (JsonParser parser = Json.MAPPER.createParser(new ByteArrayInputStream(json))) {
			parser.nextToken();
			visit(parser, "", repeated);
		}
		catch (JacksonException ex) {
			// the actual reader reports it
			return List.of();
		}
		return repeated.stream().map((path) -> "duplicate field \"" + path + "\"").toList();
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
	 * Turns a write down.
	 * @param type the type of the object
	 * @param problems what is wrong with it
	 * @param patched the object as it would be after a patch, empty when it is none
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
