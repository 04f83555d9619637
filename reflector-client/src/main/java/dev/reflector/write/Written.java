package dev.reflector.write;

import java.time.Duration;

import dev.reflector.ResourceKey;

/**
 * The result of a write. It has the identity and version that the server returned, and no
 * content of the object.
 *
 * @param <T> the type that was applied, created or deleted
 * @since 0.1.0
 */
public interface Written<T> {

	/**
	 * The type that was written.
	 * @return the type
	 */
	Class<T> type();

	/**
	 * Key of the object.
	 * @return namespace and name
	 */
	ResourceKey key();

	/**
	 * Uid of the object.
	 * @return the uid
	 */
	String uid();

	/**
	 * Version of the object after the write. For a deletion it is the version in the
	 * response, which many servers leave out.
	 * @return the version, empty when the server named none
	 */
	String resourceVersion();

	/**
	 * Whether the write has changed the object. An apply that changes nothing keeps the
	 * version. So this is {@code false} when the response has the version that the mirror
	 * or the last response had. Otherwise it is {@code true}, also when no version was
	 * known, or when another client has changed the object. A dry run changes nothing.
	 * @return whether anything changed, as far as is known
	 */
	boolean changed();

	/**
	 * Whether no request was sent, because this process has sent the same before and the
	 * mirror has the version that the server returned.
	 * @return whether the write was skipped
	 */
	boolean skipped();

	/**
	 * Whether the write was only checked, in {@link WriteMode#DRY_RUN}.
	 * @return whether the server has changed nothing
	 */
	boolean dryRun();

	/**
	 * Waits until the mirror shows the write, or something newer; for a deletion, until
	 * the mirror no longer has an object of this uid. If several mirrors of the kind
	 * contain the namespace, it waits for all of them. Returns at once for a dry run. A
	 * mirror with a selector may not contain the object; then this waits until the mirror
	 * has passed the version of the write. If the type of a mirror declares no uid, this
	 * waits until the mirror has no object of the name.
	 * <p>
	 * Versions that are decimal numbers have an order, others have none: a mirror shows a
	 * write of such a version once it has received this very version. When it has skipped
	 * it, such as by a new list, this is {@code false} after the timeout, although the
	 * mirror may have something newer.
	 * <p>
	 * Must not be called by a listener or handler of the mirror, which may block what it
	 * waits for.
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return whether the mirror shows the write
	 * @throws InterruptedException when the thread is interrupted
	 * @throws IllegalStateException when the application has no mirror of the kind in
	 * this namespace, when the server named no version, or on an event loop
	 */
	boolean awaitMirrored(Duration timeout) throws InterruptedException;

}
