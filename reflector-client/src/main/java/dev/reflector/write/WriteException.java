package dev.reflector.write;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a write has failed. The message says what was written, how the server
 * responded and what to do. It contains no values of the object, except values that the
 * server quotes.
 *
 * @since 0.1.0
 */
public abstract class WriteException extends RuntimeException {

	private static final int MAX_MESSAGE = 4000;

	private final String reason;

	private final Failure failure;

	/**
	 * Creates the exception.
	 * @param reason why the write failed, as one word from a small set
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	WriteException(String reason, String advice, Failure failure) {
		super(PrintableText.of(failure.write() + ": " + advice
				+ (failure.mayHaveHappened() ? "; it may have happened all the same" : ""), MAX_MESSAGE),
				failure.cause());
		this.reason = reason;
		this.failure = failure;
	}

	/**
	 * Returns why the write failed, for meters and logs.
	 * @return one word from a small set, such as {@code conflict}
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Returns the key of the object.
	 * @return the namespace and the name
	 */
	public ResourceKey key() {
		return this.failure.key();
	}

	/**
	 * Returns whether the write may have been carried out, because a response was lost.
	 * After a lost response, a write is not repeated unless it names the uid of its
	 * object: otherwise, the repetition could create a second object, or create a deleted
	 * object again.
	 * @return {@code true} if the object may have been changed, created or deleted
	 */
	public boolean mayHaveHappened() {
		return this.failure.mayHaveHappened();
	}

	/**
	 * Returns the response of the server.
	 * @return the status, or {@code null} if there was no response
	 */
	public @Nullable Status status() {
		return this.failure.status();
	}

	/**
	 * The details of a failed write.
	 *
	 * @param write the write, such as
	 * {@code apply of example.com/v1 Website 'default/shop'}
	 * @param key the key of the object
	 * @param status the status that the server returned, or {@code null} if there was no
	 * response
	 * @param mayHaveHappened whether the write may have been carried out
	 * @param cause the failure of the request, or {@code null} for none
	 */
	public record Failure(String write, ResourceKey key, @Nullable Status status, boolean mayHaveHappened,
			@Nullable Throwable cause) {

	}

}
