package dev.reflector.write;

import java.time.Duration;

import dev.reflector.ResourceKey;

/**
 * The result of a write. It has the identity and the version that the server returned,
 * but no content of the object.
 *
 * @param <T> the type that was applied, created or deleted
 * @since 0.1.0
 */
public interface Written<T> {

	/**
	 * Returns the type that was written.
	 * @return the type
	 */
	Class<T> type();

	/**
	 * Returns the key of the object.
	 * @return the namespace and the name
	 */
	ResourceKey key();

	/**
	 * Returns the uid of the object.
	 * @return the uid
	 */
	String uid();

	/**
	 * Returns the version of the object after the write. After a deletion, this is the
	 * version in the response. Many servers send none.
	 * @return the version, or empty if the server has returned none
	 */
	String resourceVersion();

	/**
	 * Returns whether the write has changed the object. An apply that changes nothing
	 * keeps the version. So the result is {@code false} if the response has the version
	 * that was known before the write, from the mirror or from the response to an earlier
	 * write. Otherwise, the result is {@code true}. The result is also {@code true} if no
	 * version was known before the write, or if another client has changed the object
	 * since that version. A dry run changes nothing.
	 * @return {@code false} if it is known that nothing has changed
	 */
	boolean changed();

	/**
	 * Returns whether the write was skipped. This is so if this process has already sent
	 * an equal record for the same uid, and the mirror still has the version that the
	 * server returned for that write.
	 * @return {@code true} if no request was sent
	 */
	boolean skipped();

	/**
	 * Returns whether the server has only checked the write, in
	 * {@link WriteMode#DRY_RUN}.
	 * @return {@code true} for a dry run, which changes nothing
	 */
	boolean dryRun();

	/**
	 * Waits until the mirror shows the write or a newer version. After a deletion, waits
	 * until the mirror no longer contains an object with this uid. If several mirrors of
	 * the kind contain the namespace, waits for all of them, except those that follow
	 * another source than the API server, or are disabled. Returns at once after a dry
	 * run. If a mirror does not contain the object because of a selector, waits until the
	 * mirror has reached the version of the write. If the type of a mirror declares no
	 * uid, waits after a deletion until the mirror contains no object with the name.
	 * <p>
	 * Versions that are decimal numbers can be compared. Other versions cannot, so the
	 * mirror must receive exactly the version of the write. If the mirror has skipped
	 * this version, for example because of a new list, the result is {@code false} after
	 * the timeout, although the mirror may show a newer version.
	 * <p>
	 * Must not be called by a listener or handler of the mirror, because the mirror may
	 * wait for the listener or handler.
	 * @param timeout the longest time to wait; if it is zero or less, the method does not
	 * wait
	 * @return whether the mirror shows the write
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if the application has no such mirror of the kind in
	 * this namespace, if the server has returned no version, or if the method is called
	 * on an event loop
	 */
	boolean awaitMirrored(Duration timeout) throws InterruptedException;

}
