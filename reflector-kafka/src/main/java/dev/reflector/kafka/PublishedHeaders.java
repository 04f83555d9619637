package dev.reflector.kafka;

/**
 * Names of the headers of published records. Each value is text in UTF-8. A header
 * without a value is left out.
 *
 * @since 0.1.0
 */
public final class PublishedHeaders {

	/**
	 * What happened to the object: {@code ADDED}, {@code UPDATED} or {@code DELETED}.
	 */
	public static final String TYPE = "reflector_type";

	/** Resource version of the object; for a deletion, the version of the deletion. */
	public static final String RESOURCE_VERSION = "reflector_resourceVersion";

	/**
	 * Unique identifier (uid) of the object. An object that is deleted and created again
	 * gets another uid.
	 */
	public static final String UID = "reflector_uid";

	/**
	 * How the reflector learned of the change: {@code WATCH}, {@code LIST}, {@code
	 * RECOVERED} or {@code RESYNC}. {@code RECONCILED} means that the publisher has
	 * deleted an object that was on the topic but not in the mirror.
	 */
	public static final String CAUSE = "reflector_cause";

	/** API version of the object, such as {@code apps/v1}. */
	public static final String API_VERSION = "reflector_apiVersion";

	/** Kind of the object, such as {@code Deployment}. */
	public static final String KIND = "reflector_kind";

	private PublishedHeaders() {
	}

}
