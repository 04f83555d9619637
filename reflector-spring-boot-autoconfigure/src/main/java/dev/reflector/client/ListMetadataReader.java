package dev.reflector.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the metadata of lists. Strict: a continue token that is overlooked would make a
 * short list pass for a complete one.
 */
final class ListMetadataReader {

	private final JsonMapper mapper;

	ListMetadataReader(JsonMapper mapper) {
		this.mapper = mapper;
	}

	ListMetadata read(@Nullable Frame frame) {
		if (frame == null) {
			return new ListMetadata("", "");
		}
		try {
			JsonNode metadata = this.mapper.readTree(frame.bytes(), frame.offset(), frame.length());
			return new ListMetadata(text(metadata, "resourceVersion"), text(metadata, "continue"));
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("the metadata of the list is no valid JSON", ex);
		}
	}

	private static String text(JsonNode metadata, String field) {
		JsonNode value = metadata.path(field);
		if (value.isMissingNode() || value.isNull()) {
			return "";
		}
		if (!value.isString()) {
			throw new MalformedResponseException("the field '" + field + "' in the metadata of the list is no text");
		}
		return value.stringValue();
	}

	/**
	 * Metadata of a list.
	 *
	 * @param resourceVersion version of the list, empty when it has none
	 * @param continueToken token for the next page, empty on the last
	 */
	record ListMetadata(String resourceVersion, String continueToken) {

	}

}
