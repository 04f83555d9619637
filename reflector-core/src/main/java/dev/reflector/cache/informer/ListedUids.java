package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.internal.loop.Failure;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.MirrorSize;
import dev.reflector.cache.internal.loop.PaginationLoopDetector;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.RequestListener;
import org.jspecify.annotations.Nullable;

/**
 * Looks for stored objects in a list that the server returns. If a listed object has the
 * uid of a stored object, snapshot and server belong to the same cluster. Stops at the
 * first page that contains such an object. The list has the limits of the mirror. Blocks
 * the calling thread.
 *
 * @param <T> the type of the objects
 * @param setup the setup of the informer
 * @param stopping returns whether to give up
 */
record ListedUids<T>(RunSetup<T> setup, BooleanSupplier stopping) implements Predicate<Set<String>> {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/**
	 * Lists page by page until an object has one of these uids.
	 * @param uids the uids
	 * @return whether an object has one of them
	 * @throws RuntimeException if the list fails, exceeds a limit or does not end, or if
	 * the informer stops
	 */
	@Override
	public boolean test(Set<String> uids) {
		MirrorSize size = new MirrorSize(this.setup.name(), this.setup.loop().options().limits());
		// one guard for all lists, because the limits apply to all namespaces together
		RequestListener guard = size.guard(this.setup.loop());
		Set<String> listed = new HashSet<>();
		for (String scope : this.setup.scopes()) {
			if (hasOneOf(uids, scope, listed, size, guard)) {
				return true;
			}
		}
		return false;
	}

	private boolean hasOneOf(Set<String> uids, @Nullable String scope, Set<String> listed, MirrorSize size,
			RequestListener guard) {
		PaginationLoopDetector pages = new PaginationLoopDetector();
		String token = "";
		do {
			ListPage<T> page = page(scope, token, guard);
			int before = listed.size();
			for (T object : page.items()) {
				String uid = uid(object);
				if (uids.contains(uid)) {
					return true;
				}
				listed.add(uid);
			}
			token = page.continueToken();
			// the guard counts nothing when the source reports no sizes
			require(size.exceeded(listed.size(), 0));
			require(token.isEmpty() ? null : pages.follow(token, listed.size() > before));
		}
		while (!token.isEmpty());
		return false;
	}

	/**
	 * Returns the uid of an object, empty if its metadata cannot be read: such an object
	 * proves nothing. The exception is not reported, because it may quote the object.
	 */
	private String uid(T object) {
		try {
			return this.setup.loop().accessor().uid(object);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			return "";
		}
	}

	private ListPage<T> page(@Nullable String scope, String token, RequestListener guard) {
		if (this.stopping.getAsBoolean()) {
			throw new CancellationException("the reflector stops");
		}
		LoopSetup<T> loop = this.setup.loop();
		ListPage<T> page = loop.listerWatcher()
			.list(new ListOptions(scope, "", ListSettings.DEFAULT_PAGE_SIZE, token))
			.contextWrite((context) -> RequestListener.in(context, guard))
			.block(PATIENCE);
		if (page == null) {
			throw new IllegalStateException("the list is empty");
		}
		return page;
	}

	private static void require(@Nullable Failure failure) {
		if (failure != null) {
			throw new IllegalStateException(failure.message());
		}
	}

}
