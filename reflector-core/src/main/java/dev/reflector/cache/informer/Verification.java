package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.ConsistencyReport.Scope;
import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.internal.loop.Failure;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.MirrorSize;
import dev.reflector.cache.internal.loop.PaginationLoopDetector;
import dev.reflector.cache.internal.loop.RequestProgress;
import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.UnusableMetadataException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One comparison of a mirror with the server. It resembles client-go's data consistency
 * detector (rules ), but it runs on demand, compares keys and versions, and
 * reports differences instead of crashing. It runs on its own thread: it sends a mark
 * through the queue, waits until the mark reaches the mirror, and then lists at exactly
 * the version of the mark.
 *
 * @param <T> the type of the objects
 */
final class Verification<T> {

	/**
	 * The largest number of attempts. Each uses a newer version, after the previous
	 * version has expired on the server.
	 */
	private static final int MAX_TRIES = 3;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final long SLICE_MILLIS = 100;

	private final LoopSetup<T> setup;

	private final Run<T> run;

	private final SkippedVersions skipped;

	Verification(LoopSetup<T> setup, Run<T> run, SkippedVersions skipped) {
		this.setup = setup;
		this.run = run;
		this.skipped = skipped;
	}

	List<Scope> compare(List<@Nullable String> namespaces) throws InterruptedException {
		List<Scope> scopes = new ArrayList<>();
		for (int i = 0; i < namespaces.size(); i++) {
			scopes.add(scope(namespaces.get(i), i));
		}
		return scopes;
	}

	private Scope scope(@Nullable String namespace, int loop) throws InterruptedException {
		String version = "";
		for (int attempt = 1;; attempt++) {
			try {
				Checkpoint.Content<T> mirror = checkpoint(loop);
				version = mirror.version();
				if (version.isEmpty() || version.equals("0")) {
					// the mirror has no content to compare yet
					return Scope.notComparable(namespace, "", "the mirror has no version yet");
				}
				return compare(namespace, mirror);
			}
			catch (NotComparableException ex) {
				return Scope.notComparable(namespace, version, String.valueOf(ex.getMessage()));
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof NotComparableException known) {
					return Scope.notComparable(namespace, version, String.valueOf(known.getMessage()));
				}
				Failure failure = Failure.of((ex.getCause() != null) ? ex.getCause() : ex);
				if (!failure.expired() || attempt == MAX_TRIES) {
					return Scope.notComparable(namespace, version, failure.toString());
				}
			}
			catch (RuntimeException ex) {
				return Scope.notComparable(namespace, version, Failure.of(ex).toString());
			}
		}
	}

	private Checkpoint.Content<T> checkpoint(int loop) throws InterruptedException, ExecutionException {
		long start = this.setup.time().nanoTime();
		while (true) {
			try {
				return await(this.run.checkpoint(loop));
			}
			catch (ExecutionException ex) {
				if (!(ex.getCause() instanceof Checkpoint.BusyException)) {
					throw ex;
				}
				check(start, "the queue of changes was never empty");
				TimeUnit.MILLISECONDS.sleep(SLICE_MILLIS);
			}
		}
	}

	private Scope compare(@Nullable String namespace, Checkpoint.Content<T> mirror)
			throws InterruptedException, ExecutionException {
		MirrorDifferences<T> differences = new MirrorDifferences<>(mirror, this.setup.accessor(), this.skipped);
		int pageSize = this.setup.options().list().pageSize();
		int limit = (pageSize > 0) ? pageSize : ListSettings.DEFAULT_PAGE_SIZE;
		MirrorSize size = new MirrorSize(this.run.name(), this.setup.options().limits());
		// one guard for all pages, because the limits apply to all objects of the list
		// together
		RequestListener guard = size.guard(this.setup);
		// without their objects, versions do not show which objects cannot be read
		boolean whole = this.skipped.isIncomplete();
		ListOptions first = new ListOptions(namespace, mirror.version(), limit, "",
				ListOptions.ResourceVersionMatch.EXACT);
		ListPage<ObjectVersion> page = page(first, guard, whole);
		if (!page.resourceVersion().equals(mirror.version())) {
			throw new NotComparableException("the source was asked for version " + mirror.version()
					+ " and answered with '" + page.resourceVersion() + "': it cannot list at an exact version");
		}
		int compared = differences.add(page);
		PaginationLoopDetector pages = new PaginationLoopDetector();
		while (!page.continueToken().isEmpty()) {
			// the guard counts nothing when the source reports no sizes
			Failure exceeded = size.exceeded(differences.listed(), 0);
			Failure endless = (exceeded != null) ? exceeded : pages.follow(page.continueToken(), compared > 0);
			if (endless != null) {
				throw new NotComparableException(endless.message());
			}
			page = page(new ListOptions(namespace, "", limit, page.continueToken()), guard, whole);
			compared = differences.add(page);
		}
		return differences.report(namespace);
	}

	private ListPage<ObjectVersion> page(ListOptions options, RequestListener guard, boolean whole)
			throws InterruptedException, ExecutionException {
		requireRunning();
		ListerWatcher<T> source = this.setup.listerWatcher();
		Mono<ListPage<ObjectVersion>> versions = whole ? Mono.empty() : Mono.defer(() -> source.listVersions(options));
		Mono<ListPage<ObjectVersion>> request = versions
			.switchIfEmpty(Mono.defer(() -> source.list(options)).map(this::versions))
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("the source answered a list with nothing")));
		return await(RequestProgress.observed(this.setup, options, request)
			.contextWrite((context) -> RequestListener.in(context, guard))
			.toFuture());
	}

	private ListPage<ObjectVersion> versions(ListPage<T> page) {
		ResourceAccessor<T> accessor = this.setup.accessor();
		List<ObjectVersion> items = page.items().stream().map((object) -> version(accessor, object)).toList();
		return new ListPage<>(items, page.resourceVersion(), page.continueToken(), page.skipped());
	}

	private static <T> ObjectVersion version(ResourceAccessor<T> accessor, T object) {
		try {
			return new ObjectVersion(accessor.key(object), accessor.resourceVersion(object));
		}
		catch (RuntimeException ex) {
			JvmFailureException.rethrow(ex);
			// without the exception as cause, because it may quote the object
			throw new NotComparableException("an object has no version: " + UnusableMetadataException.reason(ex));
		}
	}

	private <R> R await(CompletableFuture<R> result) throws InterruptedException, ExecutionException {
		long start = this.setup.time().nanoTime();
		try {
			while (true) {
				try {
					return result.get(SLICE_MILLIS, TimeUnit.MILLISECONDS);
				}
				catch (TimeoutException ex) {
					check(start, "there was no answer");
				}
			}
		}
		finally {
			result.cancel(false);
		}
	}

	private void check(long start, String reason) {
		requireRunning();
		if (this.setup.time().nanoTime() - start >= PATIENCE.toNanos()) {
			throw new NotComparableException(reason + " within " + PATIENCE.toSeconds() + " s");
		}
	}

	private void requireRunning() {
		if (this.run.stopping()) {
			throw new NotComparableException("the reflector has been stopped");
		}
	}

	/** Thrown when the comparison has no result. The message says why. */
	private static final class NotComparableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotComparableException(String message) {
			super(message);
		}

	}

}
