package dev.reflector.write;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;

/**
 * Signals that a write has failed. The message says what was written, what the server
 * answered and what to do; it holds no values of the object but those that the server
 * quotes.
 *
 * @since 0.1.0
 */
public abstract class WriteException extends RuntimeException {

	private static final int MAX_MESSAGE = 4000;

	private final String reason;

	private final Failure failure;

	/**
	 * Creates the exception.
	 * @param reason why it failed, one word from a small set
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	WriteException(String reason, String advice, Failure failure) {
		super(PrintableText.of(failure.write() + ": " + advice
				+ (failure.mayHaveHappened() ? "; it may have happened all the same" : ""), MAX_MESSAGE),
				failure.cause());
		this.reason = reason;
		this.failure = failure;
	}

	/**
	 * Why the write failed, for meters and logs.
	 * @return one word from a small set, such as {@code conflict}
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Key of the object.
	 * @return namespace and name
	 */
	public ResourceKey key() {
		return this.failure.key();
	}

	/**
	 * Whether the write may have happened although its answer did not come, and was not
	 * sent again, because without a uid it could create a second object, or one that was
	 * deleted.
	 * @return whether the object may be changed, created or deleted
	 */
	public boolean mayHaveHappened() {
		return this.failure.mayHaveHappened();
	}

	/**
	 * What the server answered.
	 * @return the status, {@code null} when it did not answer
	 */
	public @Nullable Status status() {
		return this.failure.status();
	}

	/**
	 * What has failed.
	 *
	 * @param write the write, such as
	 * {@code apply of example.com/v1 Website 'default/shop'}
	 * @param key key of the object
	 * @param status what the server answered, {@code null} when it did not
	 * @param mayHaveHappened whether the write may have happened
	 * @param cause the failure of the request, {@code null} when there is none
	 */
	public record Failure(String write, ResourceKey key, @Nullable Status status, boolean mayHaveHappened,
			@Nullable Throwable cause) {

	}

}
