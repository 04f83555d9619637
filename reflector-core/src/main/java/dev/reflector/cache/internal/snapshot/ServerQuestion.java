package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Asks the server which cluster it is. An answer without a uid may be the refusal of a
 * server that has just restarted, so it is not final. If the uid matters, the start asks
 * again for some seconds. Later, the thread that writes the snapshot asks again at
 * growing intervals.
 * <p>
 * <b>Threads.</b> Only the threads of one run ask. Any thread may read the answer.
 */
final class ServerQuestion {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private static final long PAUSE_MILLIS = 2000;

	private static final long SLICE_MILLIS = 50;

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/** How long a server is expected to refuse its uid after a restart. */
	static final Duration GRACE = Duration.ofSeconds(5);

	private static final long GRACE_PAUSE_MILLIS = 250;

	private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

	private final String name;

	private final Mono<String> identity;

	private final TimeSource time;

	/** The last answer, or {@code null} before the first one. */
	private volatile @Nullable ServerName answer;

	/** The uid in a snapshot that was found to be taken from this server. */
	private volatile String storedUid = "";

	/** Whether the thread that writes the mirror has asked. */
	private boolean asked;

	private Duration pause = Duration.ofSeconds(1);

	private long askedAt;

	ServerQuestion(String name, Mono<String> identity, TimeSource time) {
		this.name = name;
		this.identity = identity;
		this.time = time;
	}

	/** Returns the text that names the server in the head of a snapshot. */
	String text() {
		ServerName known = known();
		return (known != null) ? known.toString() : "";
	}

	private @Nullable ServerName known() {
		ServerName answer = this.answer;
		return (answer != null) ? answer.orUid(this.storedUid) : null;
	}

	/** Returns the last answer, or {@code null} before the first. */
	@Nullable ServerName answer() {
		return this.answer;
	}

	/** Notes that a snapshot with this server name was taken from the followed server. */
	void isSameAs(ServerName stored) {
		this.storedUid = stored.uid();
	}

	/** Notes that no snapshot is known to be taken from the followed server. */
	void forget() {
		this.storedUid = "";
	}

	/**
	 * Whether the server has answered. If the server was not asked before, asks it once
	 * and waits for the answer.
	 */
	boolean isAnswered() throws InterruptedException {
		if (this.answer == null && !this.asked) {
			this.asked = true;
			asked();
		}
		return this.answer != null;
	}

	/**
	 * Asks once whether the server is the same as before.
	 * @return {@code false} if the server is a different one, if it was not asked before,
	 * or if it does not answer now
	 */
	boolean isUnchanged() throws InterruptedException {
		ServerName before = known();
		if (before == null || ask() != null) {
			return false;
		}
		ServerName now = this.answer;
		return now != null && before.compare(now) == ServerName.Verdict.SAME;
	}

	/**
	 * Asks until there is an answer, and returns the answer, or {@code null} after giving
	 * up. After an answer without a uid, later calls ask again at growing intervals.
	 */
	@Nullable ServerName await(BooleanSupplier stopping) throws InterruptedException {
		while (this.answer == null && !stopping.getAsBoolean()) {
			if (!asked()) {
				pause(PAUSE_MILLIS, stopping);
			}
		}
		ServerName answer = this.answer;
		if (answer != null && !stopping.getAsBoolean() && !answer.hasUid() && !answer.isUnknown()
				&& this.time.nanoTime() - this.askedAt > this.pause.toNanos()) {
			Duration twice = this.pause.multipliedBy(2);
			this.pause = (twice.compareTo(LONGEST_PAUSE) < 0) ? twice : LONGEST_PAUSE;
			ask();
		}
		return this.answer;
	}

	/**
	 * Asks until the answer can be compared with the server of a snapshot. If the
	 * snapshot has a uid or a different URL, an answer without a uid is not accepted at
	 * once. A server may refuse its uid for some seconds after a restart, so the server
	 * is asked again during that time.
	 * @param stored the server of the snapshot
	 * @param stopping returns whether to give up
	 * @return the answer, or {@code null} after giving up
	 */
	@Nullable ServerName await(ServerName stored, BooleanSupplier stopping) throws InterruptedException {
		Long since = null;
		boolean again = false;
		while (!stopping.getAsBoolean()) {
			if ((again || this.answer == null) && !asked()) {
				// the server could not be reached, which is not a refusal
				since = null;
				pause(PAUSE_MILLIS, stopping);
				continue;
			}
			ServerName answer = this.answer;
			if (answer != null && !isRefusalOf(stored, answer)) {
				return answer;
			}
			long now = this.time.nanoTime();
			since = (since != null) ? since : Long.valueOf(now);
			if (now - since >= GRACE.toNanos()) {
				return answer;
			}
			again = true;
			pause(GRACE_PAUSE_MILLIS, stopping);
		}
		return null;
	}

	private static boolean isRefusalOf(ServerName stored, ServerName answer) {
		boolean matters = stored.hasUid() || stored.compare(answer) == ServerName.Verdict.UNDECIDED;
		return !answer.hasUid() && !answer.isUnknown() && matters;
	}

	/** Asks the server, and logs a failure. Returns whether the server has answered. */
	private boolean asked() throws InterruptedException {
		RuntimeException failure = ask();
		if (failure != null) {
			logger.atWarn()
				.addKeyValue("reflector", this.name)
				.addKeyValue("reason", "ServerUnknown")
				.log("Reflector '{}': the server has not said which cluster it is, so the snapshot cannot be "
						+ "used yet. Retrying in {} s: {}", this.name, PAUSE_MILLIS / 1000,
						PrintableText.of(String.valueOf(failure.getMessage())));
		}
		return failure == null;
	}

	private @Nullable RuntimeException ask() throws InterruptedException {
		try {
			String identity = this.identity.block(PATIENCE);
			this.answer = ServerName.of((identity != null) ? identity : "");
			return null;
		}
		catch (RuntimeException ex) {
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return ex;
		}
		finally {
			this.askedAt = this.time.nanoTime();
		}
	}

	/** Waits before another attempt. */
	void pause(long millis, BooleanSupplier stopping) throws InterruptedException {
		long until = this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (this.time.nanoTime() - until < 0 && !stopping.getAsBoolean()) {
			TimeUnit.MILLISECONDS.sleep(SLICE_MILLIS);
		}
	}

}
