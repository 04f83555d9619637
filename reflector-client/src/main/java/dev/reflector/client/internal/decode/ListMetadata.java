package dev.reflector.client.internal.decode;

import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The metadata of a list. It is read strictly, because with an overlooked continue token
 * a part of the list would count as the whole list.
 *
 * @param resourceVersion version of the list, empty when it has none
 * @param continueToken token for the next page, empty on the last
 * @param shardSelector the shard selector that the server has applied, empty when it does
 * not say (W-21)
 */
record ListMetadata(String resourceVersion, String continueToken, String shardSelector) {

	/**
	 * The longest continue token. It becomes part of a URL, and no server accepts a
	 * longer one.
	 */
	private static final int MAX_TOKEN = 16 * 1024;

	static ListMetadata read(@Nullable Frame frame) {
		if (frame == null) {
			return new ListMetadata("", "", "");
		}
		try {
			JsonNode metadata = JsonMapper.shared().readTree(frame.bytes(), frame.offset(), frame.length());
			return new ListMetadata(text(metadata, "resourceVersion", VersionLength.MAX),
					text(metadata, "continue", MAX_TOKEN), metadata.path("shardInfo").path("selector").asString(""));
		}
		catch (JacksonException ex) {
			// not as the cause: its message quotes the answer
			throw new MalformedResponseException("the metadata of the list is not valid JSON");
		}
	}

	private static String text(JsonNode metadata, String field, int maxLength) {
		JsonNode value = metadata.path(field);
		if (value.isMissingNode() || value.isNull()) {
			return "";
		}
		if (!value.isString()) {
			throw new MalformedResponseException("the field '" + field + "' in the metadata of the list is not a text");
		}
		String text = value.stringValue();
		if (text.length() > maxLength) {
			throw new MalformedResponseException("the field '" + field + "' in the metadata of the list has "
					+ text.length() + " characters, more than the " + maxLength + " that are accepted");
		}
		return text;
	}

}
