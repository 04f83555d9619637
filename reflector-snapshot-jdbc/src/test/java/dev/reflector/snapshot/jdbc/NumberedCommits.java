package dev.reflector.snapshot.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.StoredObject;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commits that each change, add and remove objects, so that a state shows which commits
 * it has, and whether each is complete.
 */
final class NumberedCommits {

	private static final int CHANGED = 5;

	private static final int KEPT = 20;

	static final SnapshotHeader HEADER = new SnapshotHeader(1, "shape", "v1/Pod", "", "", List.of(), "server");

	private NumberedCommits() {
	}

	static SnapshotCommit of(int number) {
		List<StoredObject> upserts = new ArrayList<>();
		for (int index = 0; index < CHANGED; index++) {
			upserts.add(stored("changed-" + index, number));
		}
		upserts.add(stored("added-" + number, number));
		return new SnapshotCommit("" + number, (number > 1) ? "" + (number - 1) : "", HEADER, upserts,
				List.of(ResourceKey.of("ns", "added-" + (number - KEPT))), Map.of("", "" + number));
	}

	/**
	 * Returns the number of the last commit, 0 without any, after checking that its state
	 * is complete.
	 */
	static int lastOf(Snapshot snapshot) {
		Map<String, String> versions = new TreeMap<>();
		List<String> cursors = new ArrayList<>();
		boolean stored = snapshot.load(new SnapshotReader() {

			@Override
			public boolean head(SnapshotHead head) {
				cursors.add(head.cursors().get(""));
				return true;
			}

			@Override
			public void object(StoredObject object) {
				assertThat(object).isEqualTo(stored(object.key().name(), Integer.parseInt(object.resourceVersion())));
				versions.put(object.key().name(), object.resourceVersion());
			}

		});
		if (!stored) {
			assertThat(versions).isEmpty();
			return 0;
		}
		int last = Integer.parseInt(cursors.get(0));
		Map<String, String> expected = new TreeMap<>();
		for (int index = 0; index < CHANGED; index++) {
			expected.put("changed-" + index, "" + last);
		}
		for (int number = Math.max(1, last - KEPT + 1); number <= last; number++) {
			expected.put("added-" + number, "" + number);
		}
		assertThat(versions).isEqualTo(expected);
		return last;
	}

	private static StoredObject stored(String name, int number) {
		return new StoredObject(ResourceKey.of("ns", name), "uid-" + name, "" + number,
				(name + number).repeat(50).getBytes(StandardCharsets.UTF_8));
	}

}
