package dev.reflector.cache.internal.loop;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import dev.reflector.cache.source.RequestListener;
import org.jspecify.annotations.Nullable;

/**
 * What the source reports about one request of a loop. Written by threads of the source,
 * read by the loop's thread.
 */
final class RequestNotes implements RequestListener {

	private final long askedAt;

	private final Consumer<BrokenAnswer> onBroken;

	private final AtomicLong bytes = new AtomicLong();

	private volatile @Nullable String waitsFor;

	RequestNotes(long askedAt, Consumer<BrokenAnswer> onBroken) {
		this.askedAt = askedAt;
		this.onBroken = onBroken;
	}

	/** When the request was made. */
	long askedAt() {
		return this.askedAt;
	}

	/** What the request waits for, or {@code null} when it has been sent. */
	@Nullable String waitsFor() {
		return this.waitsFor;
	}

	/** How much of an incomplete page has arrived, as text. */
	String soFar() {
		long bytes = this.bytes.get();
		// a source need not count them
		return (bytes == 0) ? "nothing of it is known to have come" : bytes + " bytes of it have come";
	}

	@Override
	public void waitsFor(@Nullable String subject) {
		this.waitsFor = subject;
	}

	@Override
	public void received(long bytes) {
		this.bytes.addAndGet(bytes);
	}

	@Override
	public void broken(BrokenAnswer answer) {
		this.onBroken.accept(answer);
	}

}
