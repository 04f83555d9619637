package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.List;

import dev.reflector.write.AppliedMeta;
import dev.reflector.write.WriteException;
import dev.reflector.write.WriteObserver;
import dev.reflector.write.WriteReport;
import dev.reflector.write.WriteReport.Outcome;
import dev.reflector.write.Written;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out writes, and reports their results. Skips a write whose content the object
 * already has. In dry-run mode, the server only checks a write.
 */
final class WriteExecution {

	private static final Logger logger = LoggerFactory.getLogger(WriteExecution.class);

	private final WriteSender sender;

	private final Mirrors mirrors;

	private final @Nullable DryRun dryRun;

	private final List<WriteObserver> observers;

	private final LastAnswers answers = new LastAnswers();

	private final StatusSender statuses;

	WriteExecution(WriteSender sender, StatusSender statuses, Mirrors mirrors, @Nullable DryRun dryRun,
			List<WriteObserver> observers) {
		this.sender = sender;
		this.statuses = statuses;
		this.mirrors = mirrors;
		this.dryRun = dryRun;
		this.observers = observers;
	}

	boolean isDryRun() {
		return this.dryRun != null;
	}

	/**
	 * Carries out a write.
	 * @param <T> the written type
	 * @param type the written type
	 * @param write the write
	 * @param metadata the written metadata, or {@code null} for none
	 * @return the result of the write
	 */
	<T> Written<T> run(Class<T> type, Write write, @Nullable AppliedMeta metadata) {
		long start = System.nanoTime();
		List<String> known = List.of(this.mirrors.version(write.resource(), write.key(), write.uid()),
				this.answers.version(write.uid()));
		try {
			Result result = (this.dryRun != null) ? this.dryRun.run(write, metadata) : sent(write);
			report(write, start, result, null);
			return new WrittenObject<>(type, write, result, known, this.mirrors);
		}
		catch (WriteException ex) {
			report(write, start, new Result(Outcome.FAILED, write.uid(), "", List.of(), false), ex);
			throw ex;
		}
	}

	private Result sent(Write write) {
		long begun = this.answers.begin();
		return switch (write.operation()) {
			case APPLY, STATUS -> applied(write, begun);
			case CREATE -> {
				Answered answer = this.sender.send(write);
				this.answers.answered(answer.uid(), begun, answer.resourceVersion());
				yield Result.answered(answer, true);
			}
			case DELETE -> {
				try {
					yield Result.answered(this.sender.send(write), true);
				}
				finally {
					this.answers.deleted(write.uid());
				}
			}
		};
	}

	private Result applied(Write write, long begun) {
		boolean status = write.isStatus();
		Digest body = Digest.of(write.body());
		String uid = write.uid().isEmpty() ? this.mirrors.uid(write.resource(), write.key()) : write.uid();
		String mirrored = uid.isEmpty() ? "" : this.mirrors.version(write.resource(), write.key(), uid);
		String same = this.answers.same(write.uid(), write.manager(), status, body);
		if (same != null && same.equals(mirrored)) {
			return Result.skipped(write.uid(), same);
		}
		String last = this.answers.version(write.uid());
		Answered answer;
		try {
			answer = status ? this.statuses.send(write, last) : this.sender.send(write);
		}
		catch (RuntimeException | Error ex) {
			// without a response, the state of the object on the server is not known
			if (!write.uid().isEmpty()) {
				this.answers.forget(write.uid(), write.manager(), status);
			}
			else if (!(ex instanceof WriteException failed) || failed.mayHaveHappened()) {
				this.answers.forgetAll(write.manager(), status);
			}
			throw ex;
		}
		String version = answer.resourceVersion();
		// a write without a uid is known to be to this object only from the response
		boolean named = write.uid().isEmpty();
		String before = named ? this.answers.version(answer.uid(), begun) : last;
		this.answers.applied(answer.uid(), write.manager(), status, body, begun, version);
		boolean keptVersion = (version.equals(mirrored) && (!named || answer.uid().equals(uid)))
				|| version.equals(before);
		return Result.answered(answer, version.isEmpty() || !keptVersion);
	}

	private void report(Write write, long start, Result result, @Nullable WriteException failure) {
		WriteReport report = new WriteReport(write.operation(), write.type(), write.resource(), write.key(),
				result.outcome(), Duration.ofNanos(System.nanoTime() - start), result.changes(), result.afterDryRun(),
				failure);
		logger.debug("{}: {}", write, result.outcome());
		for (WriteObserver observer : this.observers) {
			try {
				observer.written(report);
			}
			catch (RuntimeException | Error ex) {
				logger.warn("The write observer {} has failed. The write is not affected",
						observer.getClass().getName(), ex);
			}
		}
	}

}
