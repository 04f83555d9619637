package dev.reflector.client;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads which object something is (or was meant to be), from bytes that may be cut off or
 * broken: as much as there is, without ever failing. Takes an object as well as a frame
 * around it.
 */
final class HeaderScan {

	private String frameType = "";

	private @Nullable String name;

	private String namespace = "";

	private String resourceVersion = "";

	private HeaderScan() {
	}

	static HeaderScan of(JsonMapper mapper, byte[] bytes, int offset, int length) {
		HeaderScan scan = new HeaderScan();
		try (JsonParser parser = mapper.createParser(bytes, offset, length)) {
			if (parser.nextToken() == JsonToken.START_OBJECT) {
				scan.members(parser, true);
			}
		}
		catch (JacksonException ex) {
			// what was read before stays
		}
		return scan;
	}

	private void members(JsonParser parser, boolean mayBeFrame) {
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String member = parser.currentName();
			JsonToken value = parser.nextToken();
			if (member.equals("metadata") && value == JsonToken.START_OBJECT) {
				metadata(parser);
			}
			else if (member.equals("object") && mayBeFrame && value == JsonToken.START_OBJECT) {
				members(parser, false);
			}
			else if (member.equals("type") && mayBeFrame && value == JsonToken.VALUE_STRING) {
				this.frameType = parser.getString();
			}
			else {
				parser.skipChildren();
			}
		}
	}

	private void metadata(JsonParser parser) {
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String member = parser.currentName();
			boolean text = parser.nextToken() == JsonToken.VALUE_STRING;
			if (text && member.equals("name")) {
				this.name = parser.getString();
			}
			else if (text && member.equals("namespace")) {
				this.namespace = parser.getString();
			}
			else if (text && member.equals("resourceVersion")) {
				this.resourceVersion = parser.getString();
			}
			else {
				parser.skipChildren();
			}
		}
	}

	String frameType() {
		return this.frameType;
	}

	@Nullable ResourceKey key() {
		return (this.name != null && !this.name.isEmpty()) ? new ResourceKey(this.namespace, this.name) : null;
	}

	String resourceVersion() {
		return this.resourceVersion;
	}

}
