package dev.reflector.cache.internal.snapshot;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Decides whether a snapshot was taken from the followed server. Compares the uid and URL
 * of the server and, if these are not enough, the uids of objects.
 *
 * @param <T> the type of the objects
 */
final class ServerComparison<T> {

	private final OpenSnapshot<T> snapshot;

	private final ResourceAccessor<T> accessor;

	ServerComparison(OpenSnapshot<T> snapshot, ResourceAccessor<T> accessor) {
		this.snapshot = snapshot;
		this.accessor = accessor;
	}

	/**
	 * Compares the server of a snapshot with the last answer of the followed server. If
	 * uids of objects must be compared, compares those of the stored objects with those
	 * of the mirror's objects, and requests no list.
	 * @param stored the server of the snapshot
	 * @param objects the stored objects
	 * @param announced the stored objects that are announced but not committed
	 * @param present the objects of the mirror
	 * @return why the snapshot must have been taken from another server, or {@code null}
	 * if nothing shows this
	 */
	@Nullable String with(ServerName stored, PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
			PersistentMap<ResourceKey, T> present) {
		ServerName answer = this.snapshot.server().answer();
		if (answer == null) {
			return null;
		}
		boolean[] known = { false };
		if (stored.compare(answer) == ServerName.Verdict.UNDECIDED) {
			Set<String> uids = uids(objects, announced);
			present.forEach((key, object) -> known[0] |= uids.contains(this.accessor.uid(object)));
		}
		return decided(stored, answer, known[0]);
	}

	/**
	 * Waits for the answer of the followed server, and compares the answer with the
	 * server of a snapshot. Lists objects if the answer is not enough.
	 * @param stored the server of the snapshot
	 * @param objects the stored objects
	 * @param announced the stored objects that are announced but not committed
	 * @param list looks for the uids of these objects on the server
	 * @param stopping returns whether to give up
	 * @return why the snapshot must have been taken from another server; {@code null} if
	 * nothing shows this, or after giving up
	 * @throws InterruptedException when the thread is interrupted
	 */
	@Nullable String with(ServerName stored, PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
			Predicate<Set<String>> list, BooleanSupplier stopping) throws InterruptedException {
		ServerName answer = this.snapshot.server().await(stored, stopping);
		if (answer == null) {
			return null;
		}
		Boolean listed = false;
		if (stored.compare(answer) == ServerName.Verdict.UNDECIDED) {
			this.snapshot.log(Level.INFO, "ServerUndecided")
				.log("Reflector '{}': its snapshot was taken from the server {}, and the current server is {}. "
						+ "A list decides whether both are the same cluster", this.snapshot.name(),
						PrintableText.of(stored.toString()), PrintableText.of(answer.toString()));
			listed = listed(list, uids(objects, announced), stopping);
		}
		return (listed != null) ? decided(stored, answer, listed) : null;
	}

	private @Nullable String decided(ServerName stored, ServerName answer, boolean hasStoredObject) {
		String other = "it was taken from the server " + stored + ", and the current server is " + answer;
		String reason = switch (stored.compare(answer)) {
			case SAME -> null;
			case OTHER -> other;
			case UNDECIDED -> hasStoredObject ? null : other + ", which has none of the stored objects";
		};
		if (reason == null) {
			this.snapshot.server().isSameAs(stored);
		}
		else {
			this.snapshot.server().forget();
		}
		return reason;
	}

	private Set<String> uids(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced) {
		Set<String> uids = new HashSet<>();
		objects.forEach((key, object) -> uids.add(this.accessor.uid(object)));
		announced.values().forEach((object) -> uids.add(this.accessor.uid(object)));
		this.snapshot.unknown().unread().values().forEach((object) -> uids.add(object.uid()));
		uids.remove("");
		return uids;
	}

	/**
	 * Repeats the list until it succeeds. Returns whether a stored object was found, or
	 * {@code null} after giving up.
	 */
	private @Nullable Boolean listed(Predicate<Set<String>> list, Set<String> uids, BooleanSupplier stopping)
			throws InterruptedException {
		while (!stopping.getAsBoolean()) {
			try {
				return list.test(uids);
			}
			catch (RuntimeException ex) {
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
				if (stopping.getAsBoolean()) {
					return null;
				}
				this.snapshot.log(Level.WARN, "ServerUndecided")
					.log("Reflector '{}' cannot list objects to find out whether its snapshot was taken from "
							+ "this server. Retrying in {} s: {}", this.snapshot.name(),
							OpenSnapshot.PAUSE_MILLIS / 1000, PrintableText.of(String.valueOf(ex.getMessage())));
				this.snapshot.pause(stopping);
			}
		}
		return null;
	}

}
