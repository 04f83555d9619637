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
	 * @return the JSON of the status, up to the first fault; empty if the body is no
	 * Kubernetes object in protobuf
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
			// the status code of the response suffices for the message
			return new byte[0];
		}
	}

}
