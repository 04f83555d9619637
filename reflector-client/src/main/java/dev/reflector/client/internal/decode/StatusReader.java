package dev.reflector.client.internal.decode;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.Status.Cause;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the server's report of a failure ({@code kind: Status}). A status is rare and
 * small, so it is read into a JSON tree.
 */
public final class StatusReader {

	/** The largest length of a text in a status. Longer texts are cut off. */
	public static final int MAX_TEXT = 4096;

	private static final int MAX_CAUSES = 100;

	/**
	 * Accepts bytes after the status, because in a watch, the rest of the frame follows
	 * the status.
	 */
	private static final ObjectReader READER = JsonMapper.shared()
		.readerFor(JsonNode.class)
		.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

	private StatusReader() {
	}

	/**
	 * Reads a status.
	 * @param bytes the array that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @return the status, or {@code null} if the object is no status (W-31)
	 */
	public static @Nullable Status read(byte[] bytes, int from, int to) {
		ObjectHead head = ObjectHead.readType(bytes, from, to);
		boolean status = "Status".equals(head.kind())
				&& ("v1".equals(head.apiVersion()) || "meta.k8s.io/v1".equals(head.apiVersion()));
		if (!status) {
			return null;
		}
		try {
			return status(READER.readValue(bytes, from, to - from));
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static Status status(JsonNode node) {
		JsonNode details = node.path("details");
		List<Cause> causes = new ArrayList<>();
		for (JsonNode cause : details.path("causes")) {
			if (causes.size() == MAX_CAUSES) {
				break;
			}
			causes.add(new Cause(text(cause, "reason"), text(cause, "message"), text(cause, "field")));
		}
		return new Status(node.path("code").asInt(0), text(node, "reason"), text(node, "message"), causes,
				Math.max(0, details.path("retryAfterSeconds").asInt(0)), details.isObject());
	}

	private static String text(JsonNode node, String field) {
		String text = node.path(field).asString("");
		return (text.length() <= MAX_TEXT) ? text : text.substring(0, MAX_TEXT);
	}

}
