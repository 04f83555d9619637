package dev.reflector.integration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All writes to the server, and all changes delivered in all lives of an application
 * together. The ledger is kept outside of the application, which is killed.
 * <p>
 * A key is namespace and name. An incarnation of an object, which has its own uid, is
 * identified by the version of its creation.
 */
final class DurableLedger {

	private final List<Write> writes = new ArrayList<>();

	/** All writes by their version, which each write has for itself. */
	private final Map<String, Write> byVersion = new HashMap<>();

	/** Incarnations that are there, by key, and those that have ended. */
	private final Map<String, String> incarnations = new HashMap<>();

	private final Set<String> ended = new HashSet<>();

	/** Versions of objects of a colour that one release does not know. */
	private final Set<String> unreadable = new HashSet<>();

	/** All that was ever delivered, added up: the versions by key. */
	private final Map<String, String> delivered = new HashMap<>();

	private final Set<String> once = new HashSet<>();

	private int events;

	private int duplicates;

	private int forgotten;

	synchronized void wrote(String key, String version, boolean readable) {
		add(new Write(key, version, true, this.incarnations.computeIfAbsent(key, (any) -> version)));
		if (!readable) {
			this.unreadable.add(version);
		}
	}

	synchronized void deleted(String key, String version) {
		String incarnation = this.incarnations.remove(key);
		this.ended.add(incarnation);
		add(new Write(key, version, false, incarnation));
	}

	private void add(Write write) {
		this.writes.add(write);
		this.byVersion.put(write.version, write);
	}

	/** Returns the state of the server at a version. */
	private Map<String, String> stateAt(long version) {
		Map<String, String> state = new HashMap<>();
		for (Write write : this.writes) {
			if (write.number() <= version && write.there) {
				state.put(write.key, write.version);
			}
			else if (write.number() <= version) {
				state.remove(write.key);
			}
		}
		return state;
	}

	/** Forgets what was delivered: an application without a snapshot begins. */
	synchronized void beginAgain() {
		this.delivered.clear();
		this.once.clear();
	}

	/**
	 * An application begins with what is stored.
	 * @param life the life
	 * @param begin what is stored
	 * @param inOrder whether the store was in order when the application before was
	 * killed, and is what it has written. Then each object that was delivered as added is
	 * stored, so that its deletion can be delivered. Otherwise those are forgotten that
	 * are not stored, as the guide says
	 */
	synchronized void begin(String life, StoredMirror begin, boolean inOrder) {
		Set<String> missing = new TreeSet<>(this.delivered.keySet());
		missing.removeAll(begin.objects().keySet());
		missing.removeAll(begin.announced().keySet());
		if (inOrder) {
			assertThat(missing)
				.as("%s: delivered and not deleted since, but not stored: a crash loses the deletion", life)
				.isEmpty();
		}
		this.delivered.keySet().removeAll(missing);
		this.forgotten += missing.size();
	}

	/**
	 * Returns the state that follows from all delivered changes, including those of the
	 * current life.
	 */
	synchronized Map<String, String> deliveredWith(Collection<String> events) {
		Map<String, String> all = new HashMap<>(this.delivered);
		events.forEach((event) -> apply(all, new Event(event)));
		return all;
	}

	/** Returns how many objects have another version on the server than was delivered. */
	synchronized int behind(Collection<String> events) {
		Map<String, String> state = stateAt(Long.MAX_VALUE);
		Map<String, String> delivered = deliveredWith(events);
		Set<String> keys = new HashSet<>(state.keySet());
		keys.addAll(delivered.keySet());
		keys.removeIf((key) -> state.getOrDefault(key, "").equals(delivered.getOrDefault(key, "")));
		return keys.size();
	}

	private static void apply(Map<String, String> state, Event event) {
		if (event.isDeletion()) {
			state.remove(event.key);
		}
		else {
			state.put(event.key, event.version);
		}
	}

	/**
	 * Adds what was delivered in a life. It continues from what was stored: an object is
	 * added that was not there, changed or deleted that was, nothing is delivered twice,
	 * nothing that had been stored is delivered again, and an object that exists is not
	 * delivered as deleted.
	 * @param life the life
	 * @param events what was delivered
	 * @param begin what was stored when it began
	 * @param sameFields whether all that is stored has the fields that it declares
	 * @param readsAll whether it can read all that is stored
	 */
	synchronized void addUp(String life, List<String> events, StoredMirror begin, boolean sameFields,
			boolean readsAll) {
		Map<String, String> known = new HashMap<>(begin.objects());
		Map<String, Event> before = new LinkedHashMap<>();
		Set<String> inThisLife = new HashSet<>();
		for (String line : events) {
			Event event = new Event(line);
			assertThat(inThisLife.add(line)).as("%s: %s is delivered twice", life, line).isTrue();
			assertThat(event.type).as("%s: %s, of which was known: %s", life, line, known.get(event.key))
				.isIn(typesAfter(known.get(event.key), begin.announced().containsKey(event.key), readsAll));
			checkVersion(life, event, known.get(event.key), before.get(event.key), begin, sameFields);
			if (event.isDeletion()) {
				checkDeletion(life, event);
			}
			before.put(event.key, event);
			apply(known, event);
			apply(this.delivered, event);
			this.events++;
			this.duplicates += this.once.add(line) ? 0 : 1;
		}
	}

	private List<String> typesAfter(String known, boolean announced, boolean readsAll) {
		if (known == null) {
			return announced ? List.of("ADDED", "DELETED") : List.of("ADDED");
		}
		// an object whose stored state cannot be read comes as added
		return !readsAll && this.unreadable.contains(known) ? List.of("ADDED", "UPDATED", "DELETED")
				: List.of("UPDATED", "DELETED");
	}

	private void checkVersion(String life, Event event, String known, Event before, StoredMirror begin,
			boolean sameFields) {
		if (!event.version.equals(known)) {
			assertThat(event.number()).as("%s: %s was stored before", life, event).isGreaterThan(begin.cursor());
		}
		else {
			// by a list: it is gone since that version, or a field is new
			assertThat(event.type).as("%s: %s, which is stored", life, event)
				.isIn(sameFields ? List.of("DELETED") : List.of("DELETED", "UPDATED"));
		}
		if (before != null) {
			assertThat(event.number()).as("%s: %s after %s", life, event, before)
				.isGreaterThanOrEqualTo(before.number());
		}
	}

	/** The deletion of an incarnation that has ended. */
	private void checkDeletion(String life, Event event) {
		Write write = this.byVersion.get(event.version);
		assertThat(write).as("%s: %s, a version that the server never had", life, event).isNotNull();
		assertThat(this.ended).as("%s: %s, and it exists: %s", life, event, write).contains(write.incarnation);
	}

	/**
	 * Checks that the stored state equals the server at the cursor, and that each of its
	 * writes, or a later one, was delivered. Without a cursor, each stored object must
	 * have existed on the server.
	 */
	synchronized void check(String life, StoredMirror stored) {
		if (stored.cursor() == 0) {
			stored.objects()
				.forEach((key, version) -> assertThat(this.byVersion).as("%s: stored without a cursor: %s", life, key)
					.containsKey(version));
			return;
		}
		assertThat(stored.objects()).as("%s: stored at version %s", life, stored.cursor())
			.isEqualTo(stateAt(stored.cursor()));
		Map<String, Write> last = new HashMap<>();
		Set<String> deletedLater = new HashSet<>();
		for (Write write : this.writes) {
			if (write.number() <= stored.cursor()) {
				last.put(write.key, write);
			}
			else if (!write.there) {
				deletedLater.add(write.key);
			}
		}
		last.forEach((key, write) -> {
			String delivered = this.delivered.get(key);
			boolean newer = (delivered != null) ? Long.parseLong(delivered) > write.number()
					: deletedLater.contains(key);
			boolean same = write.there ? write.version.equals(delivered) : delivered == null;
			assertThat(newer || same)
				.as("%s: %s is stored at version %s, and was never delivered: the last that was is %s", life, write,
						stored.cursor(), delivered)
				.isTrue();
		});
	}

	/** The version in a line such as {@code ADDED default/a 7}. */
	static long version(String event) {
		return new Event(event).number();
	}

	@Override
	public synchronized String toString() {
		return "%d writes, %d events, %d of them again, %d objects forgotten with a failed store"
			.formatted(this.writes.size(), this.events, this.duplicates, this.forgotten);
	}

	/**
	 * A change of the server: an object is there in a version, or deleted with it.
	 *
	 * @param incarnation the version with which the object was created
	 */
	private record Write(String key, String version, boolean there, String incarnation) {

		long number() {
			return Long.parseLong(this.version);
		}

	}

	/** An event such as {@code ADDED default/a 7}. */
	private record Event(String type, String key, String version) {

		Event(String line) {
			this(line.split(" ")[0], line.split(" ")[1], line.split(" ")[2]);
		}

		boolean isDeletion() {
			return this.type.equals("DELETED");
		}

		long number() {
			return Long.parseLong(this.version);
		}

		@Override
		public String toString() {
			return this.type + " " + this.key + " " + this.version;
		}

	}

}
