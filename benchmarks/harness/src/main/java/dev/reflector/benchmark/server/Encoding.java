package dev.reflector.benchmark.server;

/**
 * How objects, lists and watches are written in one format. Whatever takes time is asked
 * for before it is measured.
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
	 * What stands immediately before a text, by which it is found.
	 * @param text the text
	 * @return the byte
	 */
	byte before(String text);

	/**
	 * Writes an object without its type.
	 * @param kind what it is
	 * @param members its members in JSON, with the closing brace
	 * @return the bytes
	 */
	byte[] fields(String kind, String members);

	/**
	 * What makes an item of a list of the fields of an object.
	 * @param kind what it is
	 * @param length how many bytes the fields are
	 * @return what is around them
	 */
	Around item(Kind kind, int length);

	/**
	 * What comes between two items.
	 * @return the bytes
	 */
	byte[] separator();

	/**
	 * What makes the fields of a list of its items.
	 * @param metadata metadata of the list, in JSON
	 * @return what is around them
	 */
	Around items(String metadata);

	/**
	 * What makes an object or a list of its fields.
	 * @param apiVersion its API version
	 * @param kind what it is
	 * @param length how many bytes the fields are
	 * @return what is around them
	 */
	Around typed(String apiVersion, String kind, long length);

	/**
	 * What makes the frame of a watch of an object.
	 * @param event type of the event
	 * @param length how many bytes the object is
	 * @return what is around it
	 */
	Around framed(String event, int length);

	/**
	 * What makes the frame of a watch of the fields of an object.
	 * @param event type of the event
	 * @param apiVersion API version of the object
	 * @param kind what it is
	 * @param length how many bytes the fields are
	 * @return what is around them
	 */
	default Around framed(String event, String apiVersion, String kind, int length) {
		Around typed = typed(apiVersion, kind, length);
		return typed.within(framed(event, typed.length() + length));
	}

	/**
	 * Writes an object.
	 * @param apiVersion its API version
	 * @param kind what it is
	 * @param members its members in JSON, with the closing brace
	 * @return the bytes
	 */
	default byte[] object(String apiVersion, String kind, String members) {
		byte[] fields = fields(kind, members);
		return typed(apiVersion, kind, fields.length).with(fields);
	}

	/**
	 * Writes the frame of a watch.
	 * @param event type of the event
	 * @param apiVersion API version of the object
	 * @param kind what it is
	 * @param members its members in JSON, with the closing brace
	 * @return the bytes
	 */
	default byte[] frame(String event, String apiVersion, String kind, String members) {
		byte[] fields = fields(kind, members);
		return framed(event, apiVersion, kind, fields.length).with(fields);
	}

}
