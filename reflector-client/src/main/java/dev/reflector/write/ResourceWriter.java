package dev.reflector.write;

import dev.reflector.ResourceKey;

/**
 * Writes to the API server the fields and objects that the application owns. This is safe
 * although the mirror may be behind: an apply changes only the fields of its record, and
 * a write to a mirrored object fails if that object was deleted, even if a new object has
 * its name.
 * <p>
 * All methods may be called from any thread that may block, by several at once; on an
 * event loop they throw an {@link IllegalStateException}. They return when the server has
 * answered, at most after {@linkplain ApplyOptions#timeout() their timeout}. The mirror
 * follows later: see {@link Written#awaitMirrored(java.time.Duration)}.
 * <p>
 * If a response is lost, a write with a uid is sent again. Any other write may have
 * happened, which {@link WriteException#mayHaveHappened()} says. If the server has too
 * many requests, a write is repeated after the time that the server names, if that is
 * within the timeout.
 *
 * <pre class="code">
 * class Websites {
 *
 *     void ready(ResourceWriter writer, Website site) {
 *         writer.status(AppliedMeta.of(site.metadata()), new WebsiteStatus("Ready"));
 *     }
 *
 *     &#064;ReflectedResource(apiVersion = "example.com/v1")
 *     record Website(ObjectMeta metadata) {
 *     }
 *
 *     &#064;AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
 *     record WebsiteStatus(String phase) {
 *     }
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public interface ResourceWriter {

	/**
	 * Applies a record to an object, without {@code force}.
	 * @param <T> the type of the record
	 * @param applied the record, of a type annotated with {@link AppliedResource}
	 * @return what was written
	 * @throws WriteConflictException when another manager owns a field of the record,
	 * with another value
	 * @throws ObjectGoneException when the object with this uid does not exist
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the record cannot be applied; the message
	 * says what to declare
	 */
	default <T> Written<T> apply(T applied) {
		return apply(applied, ApplyOptions.defaults());
	}

	/**
	 * Applies a record to an object. The record is not sent if this process has already
	 * sent an equal record for the same uid, and the mirror has the version that the
	 * server returned for that record.
	 * @param <T> the type of the record
	 * @param applied the record, of a type annotated with {@link AppliedResource}
	 * @param options how to apply it
	 * @return what was written
	 * @throws WriteConflictException when another manager owns a field of the record,
	 * with another value, unless it is forced
	 * @throws ObjectGoneException when the object with this uid does not exist
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the record cannot be applied; the message
	 * says what to declare
	 */
	<T> Written<T> apply(T applied, ApplyOptions options);

	/**
	 * Applies a status to an object that is mirrored, without {@code force}.
	 * @param <T> the type of the status
	 * @param metadata {@link AppliedMeta#of(Object)} of the mirrored object
	 * @param status the content of {@code status}, of a type annotated with
	 * {@link AppliedResource} and the subresource {@code status}
	 * @return what was written
	 * @throws WriteConflictException when another manager owns a field of the status,
	 * with another value
	 * @throws ObjectGoneException when the object with this uid does not exist
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the metadata has no uid or more than key and
	 * uid, or the record cannot be applied; the message says what to declare
	 */
	default <T> Written<T> status(AppliedMeta metadata, T status) {
		return status(metadata, status, ApplyOptions.defaults());
	}

	/**
	 * Applies a status to an object that is mirrored. The write names the version known
	 * from the mirror or from the last response, because servers ignore the uid in the
	 * status of a custom resource. If the object has changed since, a newer version is
	 * taken from the mirror, or otherwise from the server, which needs the verb
	 * {@code get}.
	 * @param <T> the type of the status
	 * @param metadata {@link AppliedMeta#of(Object)} of the mirrored object
	 * @param status the content of {@code status}, of a type annotated with
	 * {@link AppliedResource} and the subresource {@code status}
	 * @param options how to apply it
	 * @return what was written
	 * @throws WriteConflictException when another manager owns a field of the status,
	 * with another value, unless it is forced
	 * @throws ObjectGoneException when the object with this uid does not exist
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the metadata has no uid or more than key and
	 * uid, or the record cannot be applied; the message says what to declare
	 */
	<T> Written<T> status(AppliedMeta metadata, T status, ApplyOptions options);

	/**
	 * Creates an object.
	 * @param <T> the type of the record
	 * @param created the record, of a type annotated with {@link AppliedResource}, with
	 * {@link AppliedMeta#named(String, String)}
	 * @return what was written
	 * @throws ObjectExistsException when there is an object of this name
	 * @throws WriteException when anything else has failed; see
	 * {@link WriteException#mayHaveHappened()}
	 * @throws IllegalArgumentException when the record cannot be created; the message
	 * says what to declare
	 */
	default <T> Written<T> create(T created) {
		return create(created, ApplyOptions.defaults());
	}

	/**
	 * Creates an object. The server keeps created fields separate from applied fields,
	 * even under one manager: a later apply that changes a created field needs
	 * {@code force}.
	 * @param <T> the type of the record
	 * @param created the record, of a type annotated with {@link AppliedResource}, with
	 * {@link AppliedMeta#named(String, String)}
	 * @param options how to create it; {@code force} has no effect
	 * @return what was written
	 * @throws ObjectExistsException when there is an object of this name
	 * @throws WriteException when anything else has failed; see
	 * {@link WriteException#mayHaveHappened()}
	 * @throws IllegalArgumentException when the record cannot be created; the message
	 * says what to declare
	 */
	<T> Written<T> create(T created, ApplyOptions options);

	/**
	 * Deletes a mirrored object, whatever version it has by now.
	 * @param <T> the type of the object
	 * @param mirrored the object, of a mirrored type
	 * @return what was deleted
	 * @throws ObjectGoneException when the object does not exist any more
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the object has no uid; the message says what
	 * to declare
	 */
	default <T> Written<T> delete(T mirrored) {
		return delete(mirrored, DeleteOptions.defaults());
	}

	/**
	 * Deletes a mirrored object, whatever version it has by now.
	 * @param <T> the type of the object
	 * @param mirrored the object, of a mirrored type
	 * @param options how to delete it
	 * @return what was deleted
	 * @throws ObjectGoneException when the object does not exist any more
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the object has no uid; the message says what
	 * to declare
	 */
	@SuppressWarnings("unchecked")
	default <T> Written<T> delete(T mirrored, DeleteOptions options) {
		MirroredIdentity identity = MirroredIdentity.of(mirrored);
		return delete((Class<T>) mirrored.getClass(), identity.key(), identity.uid(), options);
	}

	/**
	 * Deletes an object.
	 * @param <T> the type of the object
	 * @param type a type of its kind, annotated with {@link AppliedResource} or mirrored
	 * @param key the key of the object
	 * @param uid the uid of the object
	 * @return what was deleted
	 * @throws ObjectGoneException when the object does not exist any more
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the uid is empty
	 */
	default <T> Written<T> delete(Class<T> type, ResourceKey key, String uid) {
		return delete(type, key, uid, DeleteOptions.defaults());
	}

	/**
	 * Deletes an object.
	 * @param <T> the type of the object
	 * @param type a type of its kind, annotated with {@link AppliedResource} or mirrored
	 * @param key the key of the object
	 * @param uid the uid of the object
	 * @param options how to delete it
	 * @return what was deleted
	 * @throws ObjectGoneException when the object does not exist any more
	 * @throws WriteException when anything else has failed
	 * @throws IllegalArgumentException when the uid is empty
	 */
	<T> Written<T> delete(Class<T> type, ResourceKey key, String uid, DeleteOptions options);

}
