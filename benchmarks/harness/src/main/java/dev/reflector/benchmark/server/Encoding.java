package dev.reflector.benchmark.server;

/**
 * Writes objects, lists and watches in one format. Objects are written once, when the
 * server starts. The bytes around an object are an {@link Envelope}, which depends on the
 * kind of the answer and on the length of the object.
 */
public interface Encoding {

	/** JSON, which everyone can ask for. */
	Encoding JSON = new JsonEncoding();

	/**
	 * The format of lists and failures.
	 * @return the media type, as requests name it
	 */
	String mediaType();

	/**
	 * The format of watches.
	 * @return the media type
	 */
	String streamType();

	/**
	 * Returns the byte immediately before a text, which helps to find the text in an
	 * object.
	 * @param text the text
	 * @return a quotation mark in JSON, the length of the text in protobuf
	 */
	byte byteBefore(String text);

	/**
	 * Writes the fields of an object: all of it but its type.
	 * @param kind what it is
	 * @param members its members in JSON, with the closing brace
	 * @return the bytes
	 */
	byte[] fields(String kind, String members);

	/**
	 * Makes the fields of an object an item of a list.
	 * @param kind what it is
	 * @param length how many bytes the fields are
	 * @return what is around them
	 */
	Envelope item(Kind kind, int length);

	/**
	 * Returns the bytes between two items.
	 * @return the bytes
	 */
	byte[] separator();

	/**
	 * Makes items the fields of a list.
	 * @param metadata metadata of the list, in JSON
	 * @return what is around the items
	 */
	Envelope items(String metadata);

	/**
	 * Makes fields an object or a list that says its type.
	 * @param apiVersion its API version
	 * @param kind what it is
	 * @param length how many bytes the fields are
	 * @return what is around them
	 */
	Envelope typed(String apiVersion, String kind, long length);

	/**
	 * Makes an object that says its type the frame of a watch.
	 * @param event type of the event
	 * @param length how many bytes the object is
	 * @return what is around it
	 */
	Envelope framed(String event, int length);

	/**
	 * Makes the fields of an object the frame of a watch.
	 * @param event type of the event
	 * @param apiVersion API version of the object
	 * @param kind what it is
	 * @param length how many bytes the fields are
	 * @return what is around them
	 */
	default Envelope framed(String event, String apiVersion, String kind, int length) {
		Envelope typed = typed(apiVersion, kind, length);
		return typed.within(framed(event, typed.length() + length));
	}

	/**
	 * Writes a whole object.
	 * @param apiVersion its API version
	 * @param kind what it is
	 * @param members its members in JSON, with the closing brace
	 * @return the bytes
	 */
	default byte[] object(String apiVersion, String kind, String members) {
		byte[] fields = fields(kind, members);
		return typed(apiVersion, kind, fields.length).around(fields);
	}

	/**
	 * Writes a whole frame of a watch.
	 * @param event type of the event
	 * @param apiVersion API version of the object
	 * @param kind what it is
	 * @param members its members in JSON, with the closing brace
	 * @return the bytes
	 */
	default byte[] frame(String event, String apiVersion, String kind, String members) {
		byte[] fields = fields(kind, members);
		return framed(event, apiVersion, kind, fields.length).around(fields);
	}

}
