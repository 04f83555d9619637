package dev.reflector.client.internal.proto;

import java.util.Arrays;

import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.MalformedResponseException;

/**
 * Reads the server's report of a failure in protobuf.
 */
public final class ProtobufStatus {

	private static final int MAX_DEPTH = 100;

	private ProtobufStatus() {
	}

	/**
	 * Translates a status.
	 * @param body the body of a response
	 * @return its JSON, as far as it is valid; empty for other bodies
	 */
	public static byte[] json(byte[] body) {
		ProtobufToJson json = new ProtobufToJson(MAX_DEPTH, Integer.MAX_VALUE - 8);
		json.over(body, 0, body.length, false);
		try {
			Envelope envelope = new Envelope(json.wire());
			envelope.openObject(0, body.length);
			JsonText text = json.text();
			text.put('{');
			envelope.writeType(text);
			json.members(Plans.status(), envelope.from(), envelope.to(), false);
			return Arrays.copyOf(text.bytes(), text.length());
		}
		catch (MalformedResponseException ex) {
			// the status code is enough
			return new byte[0];
		}
	}

}
