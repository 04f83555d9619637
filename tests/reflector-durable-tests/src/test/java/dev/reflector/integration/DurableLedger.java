package dev.reflector.integration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was written to the server, and what all lives of an application together were
 * told. It is kept outside of the application, which is killed.
 */
final class DurableLedger {

	private final List<Write> writes = new ArrayList<>();

	/** All that was ever told, added up. */
	private final Map<String, String> heard = new HashMap<>();

	private final Set<String> told = new HashSet<>();

	private int events;

	private int duplicates;

	synchronized void wrote(String key, String version, boolean there) {
		this.writes.add(new Write(key, Long.parseLong(version), there));
	}

	/** What the server had at a version. */
	private synchronized Map<String, String> stateAt(long version) {
		Map<String, String> state = new HashMap<>();
		for (Write write : this.writes) {
			if (write.version <= version && write.there) {
				state.put(write.key, Long.toString(write.version));
			}
			else if (write.version <= version) {
				state.remove(write.key);
			}
		}
		return state;
	}

	/** What was told up to now, the present life included, added up. */
	Map<String, String> heardWith(List<String> events) {
		Map<String, String> all = new HashMap<>(this.heard);
		events.forEach((event) -> apply(all, new Told(event)));
		return all;
	}

	private static void apply(Map<String, String> state, Told told) {
		if (told.type.equals("DELETED")) {
			state.remove(told.key);
		}
		else {
			state.put(told.key, told.version);
		}
	}

	/**
	 * Adds what a life was told. It goes on from what was stored: an object is added that
	 * was not there, changed or deleted that was, nothing is told twice, and nothing that
	 * had been stored is told again.
	 * @param life the life, for people
	 * @param events what it was told
	 * @param begin what was stored when it began
	 */
	void addUp(String life, List<String> events, StoredMirror begin) {
		Map<String, String> known = new HashMap<>(begin.objects());
		Set<String> once = new HashSet<>();
		for (String event : events) {
			Told told = new Told(event);
			assertThat(once.add(event)).as("%s: %s is told twice", life, event).isTrue();
			assertThat(told.type).as("%s: %s, of which was known: %s", life, event, known.get(told.key))
				.isIn(known.containsKey(told.key) ? List.of("UPDATED", "DELETED")
						: begin.announced().containsKey(told.key) ? List.of("ADDED", "DELETED") : List.of("ADDED"));
			if (!told.version.equals(known.get(told.key))) {
				assertThat(Long.parseLong(told.version)).as("%s: %s was stored before", life, event)
					.isGreaterThan(begin.cursor());
			}
			else {
				// found to be gone by a list, and told in its last known version
				assertThat(told.type).as("%s: %s", life, event).isEqualTo("DELETED");
			}
			apply(known, told);
			apply(this.heard, told);
			this.events++;
			this.duplicates += this.told.add(event) ? 0 : 1;
		}
	}

	/**
	 * What is stored is what the server had at the cursor, and of all this something was
	 * told.
	 */
	void check(String life, StoredMirror stored) {
		assertThat(stored.objects()).as("%s: stored at version %s", life, stored.cursor())
			.isEqualTo(stateAt(stored.cursor()));
		Map<String, Write> last = new HashMap<>();
		Set<String> deletedLater = new HashSet<>();
		synchronized (this) {
			for (Write write : this.writes) {
				if (write.version <= stored.cursor()) {
					last.put(write.key, write);
				}
				else if (!write.there) {
					deletedLater.add(write.key);
				}
			}
		}
		last.forEach((key, write) -> {
			String heard = this.heard.get(key);
			boolean newer = (heard != null) ? Long.parseLong(heard) > write.version : deletedLater.contains(key);
			boolean same = write.there ? Long.toString(write.version).equals(heard) : heard == null;
			assertThat(newer || same)
				.as("%s: %s is stored at version %s, and was never told: the last that was is %s", life, write,
						stored.cursor(), heard)
				.isTrue();
		});
	}

	@Override
	public String toString() {
		return this.writes.size() + " writes, " + this.events + " events, " + this.duplicates + " of them told again";
	}

	/** A change of the server: an object is there in a version, or deleted with it. */
	private record Write(String key, long version, boolean there) {
	}

	/** An event such as {@code ADDED default/a 7}. */
	private record Told(String type, String key, String version) {

		Told(String event) {
			this(event.split(" ")[0], event.split(" ")[1], event.split(" ")[2]);
		}

	}

}
