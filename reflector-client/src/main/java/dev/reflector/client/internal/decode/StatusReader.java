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
 * Reads what the server says about a failure ({@code kind: Status}). Rare and small, so
 * it goes through a tree.
 */
public final class StatusReader {

	/** How much is kept of a text, which is enough to tell of the failure. */
	public static final int MAX_TEXT = 4096;

	private static final int MAX_CAUSES = 100;

	private final ObjectReader reader;

	public StatusReader(JsonMapper mapper) {
		// in a frame of a watch, the rest of the envelope follows
		this.reader = mapper.readerFor(JsonNode.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
	}

	/**
	 * Reads a status.
	 * @param bytes holds the object
	 * @param from where it begins
	 * @param to where the bytes end; may lie behind the end of the object
	 * @return the status, or {@code null} when the object is something else (W-31)
	 */
	@Nullable public Status read(byte[] bytes, int from, int to) {
		ObjectHead head = ObjectHead.readType(bytes, from, to);
		boolean status = "Status".equals(head.kind())
				&& ("v1".equals(head.apiVersion()) || "meta.k8s.io/v1".equals(head.apiVersion()));
		if (!status) {
			return null;
		}
		try {
			return status(this.reader.readValue(bytes, from, to - from));
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
