package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Asks a server that was unavailable or silent whether it has reached the version that a
 * watch begins at. A server that was restored from a backup accepts a watch from a
 * version that it has not reached yet, and sends nothing. Once the server's versions have
 * passed that version, no request can show that the server was restored.
 *
 * @param <T> the type of the objects
 */
final class VersionProbe<T> {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LoopSetup<T> setup;

	private final @Nullable String namespace;

	private final Mailbox<T> mailbox;

	private final MirrorSize size;

	private boolean due;

	/**
	 * Whether to give the server time to catch up, because the watch may now reach
	 * another server that lags behind.
	 */
	private boolean patient;

	private @Nullable Disposable present;

	/**
	 * Whether the mirror was restored, and since then no watch has worked and no list has
	 * arrived.
	 */
	private boolean resuming;

	/**
	 * Whether the watch from a restored version has lasted long enough to count as
	 * working, but the server has not yet answered whether it has reached that version.
	 */
	private boolean lasted;

	VersionProbe(LoopSetup<T> setup, @Nullable String namespace, Mailbox<T> mailbox, MirrorSize size) {
		this.setup = setup;
		this.size = size;
		this.namespace = namespace;
		this.mailbox = mailbox;
	}

	/**
	 * Notes that the answer to a watch was cut off before the server had ended the watch.
	 * The server must then be asked.
	 */
	void broken(BrokenAnswer broken) {
		doubt(broken == BrokenAnswer.LOST);
	}

	/**
	 * Notes that the server has ended a watch normally. The server must still be asked,
	 * because it may have ended the watch in order to be restored from a backup, or the
	 * next watch may reach another server.
	 */
	void closed() {
		doubt(true);
	}

	/**
	 * Notes that the version comes from a snapshot. The server must be asked, because it
	 * may have gone back since the snapshot was written.
	 */
	void restored() {
		this.due = true;
		this.resuming = true;
	}

	/**
	 * Whether the mirror was restored, and since then no watch has worked and no list has
	 * arrived.
	 */
	boolean isResuming() {
		return this.resuming;
	}

	/**
	 * Notes that a watch works or a list has arrived, which confirms the restored state.
	 */
	void resumed() {
		this.resuming = false;
	}

	/**
	 * Called when the watch has lasted long enough to count as working.
	 * @return whether the watch counts as working; {@code false} until the server has
	 * answered, because the server may be behind the restored version
	 */
	boolean lasted() {
		this.lasted = this.resuming && this.present != null;
		return !this.lasted;
	}

	/**
	 * Whether the watch has already lasted long enough, so that it counts as working now
	 * that the server has answered. Called after the server has answered.
	 */
	boolean hasLasted() {
		boolean lasted = this.lasted;
		this.lasted = false;
		return lasted;
	}

	private void doubt(boolean patient) {
		this.patient = patient && (this.patient || !this.due);
		this.due = this.setup.behaviour().comparesVersions();
	}

	/**
	 * Notes a failed request. The server must be asked, because it may go back to an
	 * older state before it accepts the next request.
	 */
	void failed(Failure failure) {
		doubt(!failure.transport() && failure.code() < 500);
	}

	/**
	 * Notes that the loop continues after a pause. The server must be asked, because it
	 * may have gone back during the pause.
	 */
	void continued() {
		doubt(false);
	}

	/** Notes that the server has reached the version and need not be asked. */
	void settled() {
		this.due = false;
		cancel();
	}

	/**
	 * Asks the server, if this is necessary. Called when a watch has been opened.
	 * @param activity the number of the watch's activity
	 * @param version the version that the watch begins at
	 */
	void begin(long activity, String version) {
		if (!this.due || version.isEmpty() || version.equals("0")) {
			return;
		}
		ListOptions options = new ListOptions(this.namespace, version, 1, "",
				ListOptions.ResourceVersionMatch.NOT_OLDER_THAN);
		Mono<ListPage<ObjectVersion>> request = RequestProgress.observed(this.setup, options,
				Mono.defer(() -> this.setup.listerWatcher().listVersions(options)));
		// a server may ignore that only one object is requested
		this.present = delay().then(request)
			.contextWrite((context) -> RequestListener.in(context, this.size.guard(this.setup)))
			.switchIfEmpty(Mono.error(() -> new UnsupportedOperationException("the source cannot be asked")))
			.subscribe((page) -> this.mailbox.post(new LoopMessage.Probed<>(activity, null)),
					(error) -> this.mailbox.post(new LoopMessage.Probed<>(activity, error)), null, Mailbox.GIVEN_UP);
	}

	/**
	 * Returns a delay during which a server that lags behind can catch up (E-15); empty
	 * if no delay is needed.
	 */
	private Mono<Void> delay() {
		return this.patient
				? Mono.create((sink) -> sink.onDispose(this.setup.time().schedule(PATIENCE, sink::success)::run))
				: Mono.empty();
	}

	/**
	 * Handles the answer of the server. If the request has failed for another reason than
	 * the version, the next watch asks again.
	 * @param error the failure of the request, or {@code null} if it has succeeded
	 * @return the failure, if it says that the server has not reached the version;
	 * {@code null} otherwise, or if the watch has already shown that the version is
	 * reached
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

	/** Cancels the request, because the watch ends. */
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
