package dev.reflector.test;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * One frame of a watch stream. It wraps the bytes of the object, which all watches share.
 *
 * @param prefix what goes before the object
 * @param object the object
 */
record Frame(byte[] prefix, byte[] object) {

	private static final byte[] ADDED = prefix("ADDED");

	private static final byte[] MODIFIED = prefix("MODIFIED");

	private static final byte[] DELETED = prefix("DELETED");

	private static final byte[] BOOKMARK = prefix("BOOKMARK");

	private static final byte[] ERROR = prefix("ERROR");

	private static final byte[] SUFFIX = "}\n".getBytes(StandardCharsets.US_ASCII);

	static Frame added(StoredObject object) {
		return new Frame(ADDED, object.json());
	}

	static Frame modified(StoredObject object) {
		return new Frame(MODIFIED, object.json());
	}

	static Frame deleted(StoredObject object) {
		return new Frame(DELETED, object.json());
	}

	static Frame error(ApiFailure failure) {
		return new Frame(ERROR, Json.bytes(failure.body()));
	}

	/**
	 * A bookmark.
	 * @param type the type of the collection
	 * @param resourceVersion up to where the client has seen everything
	 * @param endOfInitialEvents whether it ends the initial part of a watch-list (W-28)
	 * @return the frame
	 */
	static Frame bookmark(ServedType type, long resourceVersion, boolean endOfInitialEvents) {
		String object = new String(type.opening(), StandardCharsets.UTF_8) + "\"metadata\":{\"resourceVersion\":\""
				+ resourceVersion + "\""
				+ (endOfInitialEvents ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "") + "}}";
		return new Frame(BOOKMARK, object.getBytes(StandardCharsets.UTF_8));
	}

	ByteBuf toBuffer() {
		// unpooled: nobody has to release what a closed connection leaves behind
		return Unpooled.wrappedBuffer(this.prefix, this.object, SUFFIX);
	}

	byte[] bytes() {
		return ByteBufUtil.getBytes(toBuffer());
	}

	private static byte[] prefix(String type) {
		return ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
	}

}
