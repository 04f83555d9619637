package dev.reflector.write;

import java.time.Duration;

import dev.reflector.ResourceKey;

/**
 * What a write has done. It holds what the server answered, and nothing of the object
 * itself.
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
	 * Version of the object after the write. Of a deletion it is the version that the
	 * server answered, which many servers do not.
	 * @return the version, empty when the server named none
	 */
	String resourceVersion();

	/**
	 * Whether the write has changed the object. An apply that finds everything as it is
	 * keeps the version, so this is {@code false} when the answer has the version that
	 * the mirror or the last answer had, and {@code true} otherwise: also when none was
	 * known, or when another client has changed the object. A dry run changes nothing.
	 * @return whether anything changed, as far as is known
	 */
	boolean changed();

	/**
	 * Whether nothing was sent, because this process has sent the same before and the
	 * mirror has the version that was answered.
	 * @return whether it was skipped
	 */
	boolean skipped();

	/**
	 * Whether the write was only tried, in {@link WriteMode#DRY_RUN}.
	 * @return whether the server has changed nothing
	 */
	boolean dryRun();

	/**
	 * Waits until the mirror shows the write, or something newer; of a deletion, until
	 * the mirror no longer has an object of this uid. Where several mirrors of the kind
	 * have the namespace, until all do. Returns at once when the write was only tried. A
	 * mirror with a selector has passed the write then, whether it has the object or not;
	 * one whose type declares no uid shows a deletion when it has no object of the name.
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
