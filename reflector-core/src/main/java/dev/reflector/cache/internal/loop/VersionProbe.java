package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Asks a server that was away or silent whether it has reached the version that a watch
 * begins at. A server that was restored from a backup accepts a watch from a version that
 * it has not reached, and sends nothing. Once its versions have passed that one, no
 * request can show this.
 *
 * @param <T> the type of the objects
 */
final class VersionProbe<T> {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final Mailbox<T> mailbox;

	private boolean due;

	/** Whether another server may have taken over, which lags behind and catches up. */
	private boolean patient;

	private @Nullable Disposable present;

	/**
	 * Whether the mirror was restored, and no watch has worked and no list has come
	 * since.
	 */
	private boolean resuming;

	/**
	 * Whether the watch from a restored version has lasted long enough to count as
	 * working, once the server has said whether it has reached that version.
	 */
	private boolean lasted;

	VersionProbe(LoopSetup<T> setup, @Nullable String namespace, Mailbox<T> mailbox) {
		this.setup = setup;
		this.namespace = namespace;
		this.mailbox = mailbox;
	}

	/** A watch has ended that the server did not end. */
	void broken(BrokenAnswer broken) {
		doubt(broken == BrokenAnswer.LOST);
	}

	/**
	 * The server has ended a watch in order. It may be about to be restored, or another
	 * one may take over.
	 */
	void closed() {
		doubt(true);
	}

	/** The version comes from a snapshot, and the server may have gone back since. */
	void restored() {
		this.due = true;
		this.resuming = true;
	}

	/**
	 * Whether the mirror was restored, and no watch has worked and no list has come
	 * since.
	 */
	boolean isResuming() {
		return this.resuming;
	}

	/** A watch works, or a list has come: what was restored is confirmed. */
	void resumed() {
		this.resuming = false;
	}

	/**
	 * The watch has lasted long enough to count as working.
	 * @return whether it does: the server may still say that it is behind what was
	 * restored
	 */
	boolean lasted() {
		this.lasted = this.resuming && this.present != null;
		return !this.lasted;
	}

	/** Whether the watch counts as working now that the server has answered. */
	boolean hasLasted() {
		boolean lasted = this.lasted;
		this.lasted = false;
		return lasted;
	}

	private void doubt(boolean patient) {
		this.patient = patient && (this.patient || !this.due);
		this.due = !this.setup.clientGo();
	}

	/** A server that was not reached, or failed, may have gone back. */
	void failed(Failure failure) {
		if (failure.transport() || failure.code() >= 500) {
			doubt(false);
		}
	}

	/** The server has reached the version: it need not be asked. */
	void settled() {
		this.due = false;
		cancel();
	}

	/** Asks while the watch is open, if there is reason to. */
	void begin(long activity, String version) {
		if (!this.due || version.isEmpty() || version.equals("0")) {
			return;
		}
		ListOptions options = new ListOptions(this.namespace, version, 1, "",
				ListOptions.ResourceVersionMatch.NOT_OLDER_THAN);
		Mono<ListPage<ObjectVersion>> request = RequestProgress.observed(this.setup, options,
				Mono.defer(() -> this.setup.listerWatcher().listVersions(options)));
		this.present = delay().then(request)
			.switchIfEmpty(Mono.error(() -> new UnsupportedOperationException("the source cannot be asked")))
			.subscribe((page) -> this.mailbox.post(new LoopMessage.Probed<>(activity, null)),
					(error) -> this.mailbox.post(new LoopMessage.Probed<>(activity, error)), null, Mailbox.GIVEN_UP);
	}

	/** E-15: gives a server that lags behind time to catch up. */
	private Mono<Void> delay() {
		return this.patient
				? Mono.create((sink) -> sink.onDispose(this.setup.time().schedule(PATIENCE, sink::success)::run))
				: Mono.empty();
	}

	/**
	 * Handles the answer. When the request has failed for another reason, it is repeated
	 * with the next watch.
	 * @param error why there is no answer, {@code null} when there is one
	 * @return the failure that says that the version is not reached; {@code null} when
	 * the server does not say so, or the watch has already shown that it is
	 */
	@Nullable Failure answered(@Nullable Throwable error) {
		this.present = null;
		if (error == null) {
			settled();
			return null;
		}
		Failure failure = Failure.of(error);
		return (this.due && failure.versionTooLarge()) ? failure : null;
	}

	/** The watch ends. */
	void end() {
		this.lasted = false;
		cancel();
	}

	private void cancel() {
		if (this.present != null) {
			this.present.dispose();
			this.present = null;
		}
	}

}
