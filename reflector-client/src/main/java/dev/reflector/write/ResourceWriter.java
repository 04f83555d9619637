package dev.reflector.write;

import dev.reflector.ResourceKey;

/**
 * Writes to the API server: the fields and objects that the application owns. This is
 * safe even if the mirror is behind the server. An apply changes only the fields of its
 * record. A write to a mirrored object fails if this object was deleted, even if a new
 * object has the same name.
 * <p>
 * All methods may be called on any thread that may block, and on several threads at the
 * same time. On an event loop, they throw an {@link IllegalStateException}. A method
 * returns when the server has responded, at most after the
 * {@linkplain ApplyOptions#timeout() timeout}. The mirror shows the write later: see
 * {@link Written#awaitMirrored(java.time.Duration)}.
 * <p>
 * If a response is lost, the write is sent again only if it names the uid of its object.
 * If the server is silent, the writer waits for the response timeout of its client before
 * it sends the write again. By default, this time is longer than the timeout of a write,
 * so there is only one attempt. {@link WriteException#mayHaveHappened()} returns whether
 * a failed write may have been carried out. If the server has too many requests, a write
 * is repeated after the time that the server names, if the timeout allows it.
 *
 * <pre class="code">
 * class Websites {
 *
 *     void ready(ResourceWriter writer, Website site) {
 *         writer.status(AppliedMeta.of(site.metadata()), new WebsiteStatus("Ready"));
 *     }
 *
 * &#064;ReflectedResource(apiVersion = "example.com/v1")
 * record Website(ObjectMeta metadata) {
 * }
 *
 * &#064;AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
 * record WebsiteStatus(String phase) {
 * }
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
	 * @param applied the record; its type is annotated with {@link AppliedResource}
	 * @return the result of the write
	 * @throws WriteConflictException if another manager owns a field of the record, with
	 * another value
	 * @throws ObjectGoneException if the metadata has a uid, and no object with this uid
	 * exists
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the record cannot be applied; the message says
	 * what to declare
	 */
	default <T> Written<T> apply(T applied) {
		return apply(applied, ApplyOptions.defaults());
	}

	/**
	 * Applies a record to an object. No request is sent if this process has already sent
	 * an equal record for the same uid, and the mirror still has the version that the
	 * server returned for that write.
	 * @param <T> the type of the record
	 * @param applied the record; its type is annotated with {@link AppliedResource}
	 * @param options the options for the write
	 * @return the result of the write
	 * @throws WriteConflictException if another manager owns a field of the record, with
	 * another value, and the options do not force the write
	 * @throws ObjectGoneException if the metadata has a uid, and no object with this uid
	 * exists
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the record cannot be applied; the message says
	 * what to declare
	 */
	<T> Written<T> apply(T applied, ApplyOptions options);

	/**
	 * Applies a status to a mirrored object, without {@code force}.
	 * @param <T> the type of the status
	 * @param metadata {@link AppliedMeta#of(Object)} of the mirrored object
	 * @param status the content of {@code status}; its type is annotated with
	 * {@link AppliedResource}, with {@code status} as the subresource
	 * @return the result of the write
	 * @throws WriteConflictException if another manager owns a field of the status, with
	 * another value
	 * @throws ObjectGoneException if no object with the uid of the metadata exists
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the metadata has no uid, if it has more than
	 * the key and the uid, or if the type of the status cannot be applied; the message
	 * says what to change
	 */
	default <T> Written<T> status(AppliedMeta metadata, T status) {
		return status(metadata, status, ApplyOptions.defaults());
	}

	/**
	 * Applies a status to a mirrored object. Servers ignore the uid in the status of a
	 * custom resource, so the write also names the version of the object, from the mirror
	 * or from the response to an earlier write. If the object has changed since this
	 * version, the newer version is taken from the mirror. If the mirror does not have
	 * the newer version, it is requested from the server, which needs the verb
	 * {@code get}.
	 * @param <T> the type of the status
	 * @param metadata {@link AppliedMeta#of(Object)} of the mirrored object
	 * @param status the content of {@code status}; its type is annotated with
	 * {@link AppliedResource}, with {@code status} as the subresource
	 * @param options the options for the write
	 * @return the result of the write
	 * @throws WriteConflictException if another manager owns a field of the status, with
	 * another value, and the options do not force the write
	 * @throws ObjectGoneException if no object with the uid of the metadata exists
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the metadata has no uid, if it has more than
	 * the key and the uid, or if the type of the status cannot be applied; the message
	 * says what to change
	 */
	<T> Written<T> status(AppliedMeta metadata, T status, ApplyOptions options);

	/**
	 * Creates an object.
	 * @param <T> the type of the record
	 * @param created the record; its type is annotated with {@link AppliedResource}, and
	 * its metadata is {@link AppliedMeta#named(String, String)}
	 * @return the result of the write
	 * @throws ObjectExistsException if there is already an object with this name
	 * @throws WriteException if the write has failed for another reason; see
	 * {@link WriteException#mayHaveHappened()}
	 * @throws IllegalArgumentException if the record cannot be created; the message says
	 * what to declare
	 */
	default <T> Written<T> create(T created) {
		return create(created, ApplyOptions.defaults());
	}

	/**
	 * Creates an object. For the server, created fields and applied fields are separate,
	 * even if they have the same manager. So a later apply that changes a created field
	 * needs {@code force}.
	 * @param <T> the type of the record
	 * @param created the record; its type is annotated with {@link AppliedResource}, and
	 * its metadata is {@link AppliedMeta#named(String, String)}
	 * @param options the options for the write; {@code force} has no effect
	 * @return the result of the write
	 * @throws ObjectExistsException if there is already an object with this name
	 * @throws WriteException if the write has failed for another reason; see
	 * {@link WriteException#mayHaveHappened()}
	 * @throws IllegalArgumentException if the record cannot be created; the message says
	 * what to declare
	 */
	<T> Written<T> create(T created, ApplyOptions options);

	/**
	 * Deletes a mirrored object, even if the server already has a newer version than the
	 * mirror.
	 * @param <T> the type of the object
	 * @param mirrored the object, whose type is mirrored
	 * @return the result of the deletion
	 * @throws ObjectGoneException if the object does not exist any more
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the object has no uid; the message says what to
	 * declare
	 */
	default <T> Written<T> delete(T mirrored) {
		return delete(mirrored, DeleteOptions.defaults());
	}

	/**
	 * Deletes a mirrored object, even if the server already has a newer version than the
	 * mirror.
	 * @param <T> the type of the object
	 * @param mirrored the object, whose type is mirrored
	 * @param options the options for the deletion
	 * @return the result of the deletion
	 * @throws ObjectGoneException if the object does not exist any more
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the object has no uid; the message says what to
	 * declare
	 */
	@SuppressWarnings("unchecked")
	default <T> Written<T> delete(T mirrored, DeleteOptions options) {
		MirroredIdentity identity = MirroredIdentity.of(mirrored);
		return delete((Class<T>) mirrored.getClass(), identity.key(), identity.uid(), options);
	}

	/**
	 * Deletes an object.
	 * @param <T> the type of the object
	 * @param type a Java type for objects of this kind; the Java type is mirrored, or
	 * annotated with {@link AppliedResource}
	 * @param key the key of the object
	 * @param uid the uid of the object
	 * @return the result of the deletion
	 * @throws ObjectGoneException if the object does not exist any more
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the uid is empty
	 */
	default <T> Written<T> delete(Class<T> type, ResourceKey key, String uid) {
		return delete(type, key, uid, DeleteOptions.defaults());
	}

	/**
	 * Deletes an object.
	 * @param <T> the type of the object
	 * @param type a Java type for objects of this kind; the Java type is mirrored, or
	 * annotated with {@link AppliedResource}
	 * @param key the key of the object
	 * @param uid the uid of the object
	 * @param options the options for the deletion
	 * @return the result of the deletion
	 * @throws ObjectGoneException if the object does not exist any more
	 * @throws WriteException if the write has failed for another reason
	 * @throws IllegalArgumentException if the uid is empty
	 */
	<T> Written<T> delete(Class<T> type, ResourceKey key, String uid, DeleteOptions options);

}
