package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.write.WriteOperation;
import dev.reflector.write.WriteReport.Outcome;
import dev.reflector.write.Written;
import reactor.core.scheduler.Schedulers;

/**
 * The result of a write, as the application gets it.
 *
 * @param <T> the type that was written
 */
final class WrittenObject<T> implements Written<T> {

	private final Class<T> type;

	private final Write write;

	private final Result result;

	private final List<String> known;

	private final Mirrors mirrors;

	/**
	 * Creates the result.
	 * @param type the written type
	 * @param write the write
	 * @param result the result of the write
	 * @param known the versions of the object that were known before the write; may
	 * contain empty strings
	 * @param mirrors the mirrors that may contain the object
	 */
	WrittenObject(Class<T> type, Write write, Result result, List<String> known, Mirrors mirrors) {
		this.type = type;
		this.write = write;
		this.result = result;
		this.known = known;
		this.mirrors = mirrors;
	}

	@Override
	public Class<T> type() {
		return this.type;
	}

	@Override
	public ResourceKey key() {
		return this.write.key();
	}

	@Override
	public String uid() {
		return this.write.uid().isEmpty() ? this.result.uid() : this.write.uid();
	}

	@Override
	public String resourceVersion() {
		return this.result.resourceVersion();
	}

	@Override
	public boolean changed() {
		return this.result.outcome() == Outcome.CHANGED;
	}

	@Override
	public boolean skipped() {
		return this.result.outcome() == Outcome.SKIPPED;
	}

	@Override
	public boolean dryRun() {
		return this.result.dryRun();
	}

	@Override
	public boolean awaitMirrored(Duration timeout) throws InterruptedException {
		if (dryRun()) {
			return true;
		}
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("waiting for a mirror blocks, and the thread '"
					+ Thread.currentThread().getName() + "' must not: wait on another one");
		}
		return (this.write.operation() == WriteOperation.DELETE)
				? this.mirrors.awaitDeleted(this.write.resource(), key(), uid(), this.known, timeout)
				: this.mirrors.awaitWritten(this.write.resource(), key(), resourceVersion(), timeout);
	}

	@Override
	public String toString() {
		return this.write + ": " + this.result.outcome();
	}

}
