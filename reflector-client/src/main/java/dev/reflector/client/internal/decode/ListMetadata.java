package dev.reflector.client.internal.decode;

import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The metadata of a list. It is read strictly: if a continue token were overlooked, a
 * part of the list would count as the whole list.
 *
 * @param resourceVersion the version of the list, empty for none
 * @param continueToken the token for the next page, empty for the last page
 * @param shardSelector the shard selector that the server reports as applied, empty for
 * none (W-21)
 */
record ListMetadata(String resourceVersion, String continueToken, String shardSelector) {

	/**
	 * The largest accepted length of a continue token. The token becomes part of a URL,
	 * and no server accepts a URL that is longer than this.
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
			// the exception is not kept as the cause, because its message quotes the
			// response
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
