package dev.reflector.test.snapshot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotFacts;
import dev.reflector.cache.snapshot.SnapshotFencedException;
import dev.reflector.cache.snapshot.SnapshotGapException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.SnapshotReader;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.snapshot.StoredObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Tests that every {@link SnapshotStore} must pass. Extend this class, and run it with
 * JUnit.
 *
 * <pre class="code">
 * class MySnapshotStoreTests extends SnapshotStoreCompatibilityKit {
 *
 * 	protected SnapshotStore openStore() {
 * 		return new MySnapshotStore(this.directory);
 * 	}
 *
 * 	protected void damage(String reflector, ResourceKey key) {
 * 		// change a byte of what is stored for that key
 * 	}
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public abstract class SnapshotStoreCompatibilityKit {

	private static final SnapshotHeader HEADER = new SnapshotHeader(1, "5f2c", "v1/Pod", "app=web", "spec.nodeName=n1",
			List.of("blue", "green"), "https://127.0.0.1:6443", "shop");

	private static final SnapshotHeader OTHER_HEADER = new SnapshotHeader(2, "", "apps/v1/Deployment", "", "",
			List.of(), "d1f6c9a4-kube-system", "größe & co");

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	/**
	 * Opens a store. If a test opens several stores, they must share the same data, like
	 * stores that different processes open. Different tests must not share data.
	 * @return the store; it is closed after the test if it is {@link AutoCloseable}
	 * @throws Exception if the store cannot be opened
	 */
	protected abstract SnapshotStore openStore() throws Exception;

	/**
	 * Damages the stored data of one object, so that the store can still read the data,
	 * but the content is not the content that was stored. No snapshot is open during this
	 * call.
	 * @param reflector the name of the reflector
	 * @param key the key of the object
	 * @throws Exception if the data cannot be damaged
	 */
	protected abstract void damage(String reflector, ResourceKey key) throws Exception;

	/**
	 * Returns forgeries: changes that anyone with write access could make to the stored
	 * data of one object or of the reflector, with correct check sums. Examples are
	 * lengths that are negative or too large, malformed texts, and another key. By
	 * default, there are none. Each forgery is applied separately, after the store has
	 * written the data. No snapshot is open during this call.
	 * @param reflector the name of the reflector
	 * @param key the key of the object
	 * @return the forgeries, by their description
	 */
	protected Map<String, Executable> forgeries(String reflector, ResourceKey key) {
		return Map.of();
	}

	@AfterEach
	void closeWhatWasOpened() throws Exception {
		closeAll();
	}

	@Test
	void nothingIsStoredAtFirst() throws Exception {
		Snapshot snapshot = store().open("pods");
		assertEquals(new SnapshotFacts(0, 0, Map.of(), null), snapshot.facts());
		assertNull(LoadedSnapshot.of(snapshot).head());
	}

	@Test
	void aClaimStoresNothingThatAReaderCouldSee() throws Exception {
		assertTrue(store().open("pods").claim());
		assertNull(LoadedSnapshot.of(store().open("pods")).head());
	}

	@Test
	void whatWasCommittedIsThereAfterReopening() throws Exception {
		commit(writer("pods"), HEADER, Map.of("blue", "17", "green", "16"), object("a", 1), object("b", 2));
		closeAll();
		LoadedSnapshot loaded = LoadedSnapshot.of(store().open("pods"));
		assertEquals(HEADER, head(loaded).header());
		assertEquals(Map.of("blue", "17", "green", "16"), head(loaded).cursors());
		assertEquals(Set.of(object("a", 1), object("b", 2)), new HashSet<>(loaded.objects().values()));
		assertNotNull(head(loaded).committedAt());
	}

	@Test
	void aCommitAddsReplacesAndRemoves() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of("", "1"), object("a", 1), object("b", 1), object("c", 1));
		snapshot.commit(new SnapshotCommit("second", last(snapshot), HEADER, List.of(object("b", 2), object("d", 2)),
				List.of(object("c", 1).key(), ResourceKey.of("none", "unknown")), Map.of("", "2")));
		LoadedSnapshot loaded = LoadedSnapshot.of(snapshot);
		assertEquals(Set.of(object("a", 1), object("b", 2), object("d", 2)), new HashSet<>(loaded.objects().values()));
		assertEquals(Map.of("", "2"), head(loaded).cursors());
	}

	@Test
	void headerAndCursorsAreThoseOfTheLastCommit() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of("blue", "17", "green", "16"), object("a", 1));
		commit(snapshot, OTHER_HEADER, Map.of("a=b&c d\nü", "x=y&z %\t"));
		assertEquals(OTHER_HEADER, head(LoadedSnapshot.of(snapshot)).header());
		assertEquals(Map.of("a=b&c d\nü", "x=y&z %\t"), head(LoadedSnapshot.of(snapshot)).cursors());
		commit(snapshot, OTHER_HEADER, Map.of());
		assertEquals(Map.of(), head(LoadedSnapshot.of(snapshot)).cursors());
		assertEquals(Set.of(object("a", 1).key()), LoadedSnapshot.of(snapshot).objects().keySet());
	}

	@Test
	void snapshotsOfSeveralReflectorsAreApart() throws Exception {
		SnapshotStore store = store();
		Snapshot pods = claimed(store.open("pods"));
		Snapshot nodes = claimed(store.open("nodes"));
		commit(pods, HEADER, Map.of("", "1"), object("a", 1));
		commit(nodes, OTHER_HEADER, Map.of("", "2"), object("a", 2));
		assertEquals(List.of(object("a", 1)), List.copyOf(LoadedSnapshot.of(pods).objects().values()));
		assertEquals(List.of(object("a", 2)), List.copyOf(LoadedSnapshot.of(nodes).objects().values()));
		pods.setAside("for a test");
		assertNull(LoadedSnapshot.of(pods).head());
		assertEquals(OTHER_HEADER, head(LoadedSnapshot.of(nodes)).header());
	}

	@Test
	void whoHasNoClaimWritesNothing() throws Exception {
		Snapshot snapshot = store().open("pods");
		assertThrows(SnapshotFencedException.class, () -> commit(snapshot, HEADER, Map.of(), object("a", 1)));
		assertThrows(SnapshotFencedException.class, () -> snapshot.setAside("for a test"));
		assertNull(LoadedSnapshot.of(snapshot).head());
	}

	@Test
	void oneStoreWritesAndTheOthersRead() throws Exception {
		Snapshot first = writer("pods");
		Snapshot second = store().open("pods");
		commit(first, HEADER, Map.of(), object("a", 1));
		assertFalse(second.claim());
		assertThrows(SnapshotFencedException.class, () -> commit(second, HEADER, Map.of(), object("a", 2)));
		assertEquals(Set.of(object("a", 1).key()), LoadedSnapshot.of(second).objects().keySet());
		assertEquals(1, second.facts().objects());
		assertTrue(first.claim());
		first.close();
		assertTrue(second.claim());
		commit(second, HEADER, Map.of(), object("a", 3));
		assertFalse(claim(store().open("pods")));
	}

	@Test
	void oneOpenSnapshotOfAStoreWrites() throws Exception {
		SnapshotStore store = store();
		Snapshot first = claimed(store.open("pods"));
		Snapshot second = store.open("pods");
		assertFalse(second.claim());
		second.close();
		assertTrue(first.claim());
		commit(first, HEADER, Map.of(), object("a", 1));
		first.close();
		assertTrue(claim(store.open("pods")));
	}

	@Test
	void whoClaimsAgainIsStillTheWriter() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of(), object("a", 1));
		assertTrue(snapshot.claim());
		commit(snapshot, HEADER, Map.of(), object("a", 2));
		assertEquals(List.of(object("a", 2)), List.copyOf(LoadedSnapshot.of(snapshot).objects().values()));
	}

	@Test
	void aClosedSnapshotWritesNothingAndIsClosedAgainWithoutHarm() throws Exception {
		Snapshot snapshot = writer("pods");
		snapshot.close();
		snapshot.close();
		assertThrows(SnapshotFencedException.class, () -> commit(snapshot, HEADER, Map.of(), object("a", 1)));
	}

	@Test
	void aCommitIsTakenOnlyAfterTheOneThatItNames() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, "1-a", "", object("a", 1), object("b", 1));
		commit(snapshot, "2-b", "1-a", object("a", 2));
		for (String other : List.of("", "1-a", "2-c", "2", "2-b ", "2-B", "3-d")) {
			assertThrows(SnapshotGapException.class, () -> commit(snapshot, "3-d", other, object("c", 3)),
					() -> "a commit after '" + other + "'");
		}
		assertEquals("2-b", last(snapshot));
		assertEquals(Set.of(object("a", 2), object("b", 1)),
				new HashSet<>(LoadedSnapshot.of(snapshot).objects().values()));
		// a refused commit does not end the claim: this process is still the writer
		commit(snapshot, "3-d", "2-b", object("c", 3));
		closeAll();
		assertEquals("3-d", last(store().open("pods")));
	}

	/**
	 * The data of a store return to an earlier state if a dump of the database is
	 * restored while the process runs, or if a standby of the database is promoted.
	 */
	@Test
	void aCommitIsNotAddedToAnEarlierState() throws Exception {
		Snapshot first = writer("pods");
		commit(first, "1-a", "", object("a", 1));
		first.close();
		Snapshot second = writer("pods");
		// this process expects 2-b, but another writer has stored 2-c after the same
		// commit
		commit(second, "2-c", "1-a", object("c", 2));
		assertThrows(SnapshotGapException.class, () -> commit(second, "3-d", "2-b", object("d", 3)));
		assertEquals(Set.of(object("a", 1), object("c", 2)),
				new HashSet<>(LoadedSnapshot.of(second).objects().values()));
	}

	@Test
	void theFirstCommitAfterWhatWasSetAsideHasNoneBeforeIt() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, "1-a", "", object("a", 1));
		snapshot.setAside("for a test");
		assertThrows(SnapshotGapException.class, () -> commit(snapshot, "2-b", "1-a", object("b", 2)));
		commit(snapshot, "1-c", "", object("b", 2));
		assertEquals(Set.of(object("b", 2).key()), LoadedSnapshot.of(snapshot).objects().keySet());
	}

	@Test
	void objectsComeOnlyWhenTheyAreWanted() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of(), object("a", 1));
		AtomicBoolean object = new AtomicBoolean();
		assertTrue(snapshot.load(new SnapshotReader() {

			@Override
			public boolean head(SnapshotHead head) {
				return false;
			}

			@Override
			public void object(StoredObject stored) {
				object.set(true);
			}

		}));
		assertFalse(object.get());
	}

	@Test
	void anExceptionOfTheReaderReachesTheCaller() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of(), object("a", 1));
		RuntimeException thrown = new IllegalStateException("by the reader");
		assertSame(thrown, assertThrows(IllegalStateException.class, () -> LoadedSnapshot.of(snapshot, () -> {
			throw thrown;
		})));
		commit(snapshot, HEADER, Map.of(), object("b", 1));
		assertEquals(2, LoadedSnapshot.of(snapshot).objects().size());
	}

	@Test
	void whatIsLoadedIsOfOneMoment() throws Exception {
		Snapshot writer = writer("pods");
		commit(writer, HEADER, Map.of("", "1"), object("a", 1), object("b", 1));
		LoadedSnapshot loaded = LoadedSnapshot.of(store().open("pods"), () -> writer.commit(new SnapshotCommit("second",
				last(writer), HEADER, List.of(object("a", 2)), List.of(object("b", 1).key()), Map.of("", "2"))));
		assertEquals(Map.of("", "1"), head(loaded).cursors());
		assertEquals(Set.of(object("a", 1), object("b", 1)), new HashSet<>(loaded.objects().values()));
		assertEquals(List.of(object("a", 2)), List.copyOf(LoadedSnapshot.of(writer).objects().values()));
	}

	/**
	 * Each commit replaces all objects, so that the reader would notice a mixture of two
	 * commits.
	 */
	@Test
	void whoReadsMeanwhileSeesWholeCommits() throws Exception {
		Snapshot writer = writer("pods");
		Snapshot reader = store().open("pods");
		commit(writer, HEADER, Map.of("", "0"), objects(50, 0));
		AtomicBoolean done = new AtomicBoolean();
		inParallel(List.of(() -> {
			for (int round = 1; round <= 30; round++) {
				commit(writer, HEADER, Map.of("", "" + round), objects(50, round));
			}
			done.set(true);
			return done;
		}, () -> {
			while (!done.get()) {
				LoadedSnapshot loaded = LoadedSnapshot.of(reader);
				Set<String> versions = new TreeSet<>(head(loaded).cursors().values());
				loaded.objects().values().forEach((object) -> versions.add(object.resourceVersion()));
				assertEquals(1, versions.size(), () -> "versions of one commit: " + versions);
				assertEquals(50, loaded.objects().size());
			}
			return done;
		}));
	}

	@Test
	void whatIsSetAsideIsNotLoadedAnyMore() throws Exception {
		Snapshot snapshot = writer("pods");
		for (int round = 1; round <= 2; round++) {
			commit(snapshot, HEADER, Map.of("", "1"), object("a", round), object("b", round));
			assertFalse(snapshot.setAside("for a test").isBlank());
			assertNull(LoadedSnapshot.of(snapshot).head());
			assertEquals(0, snapshot.facts().objects());
		}
		assertTrue(snapshot.claim());
		commit(snapshot, OTHER_HEADER, Map.of("", "2"), object("c", 1));
		closeAll();
		LoadedSnapshot loaded = LoadedSnapshot.of(store().open("pods"));
		assertEquals(OTHER_HEADER, head(loaded).header());
		assertEquals(List.of(object("c", 1)), List.copyOf(loaded.objects().values()));
	}

	@Test
	void aDamagedObjectIsNoticed() throws Exception {
		commit(writer("pods"), HEADER, Map.of("", "1"), object("a", 1), object("b", 1));
		closeAll();
		damage("pods", object("b", 1).key());
		Snapshot snapshot = writer("pods");
		assertThrows(SnapshotCorruptException.class, () -> LoadedSnapshot.of(snapshot));
		snapshot.setAside("damaged");
		assertNull(LoadedSnapshot.of(snapshot).head());
		commit(snapshot, HEADER, Map.of("", "2"), object("a", 2));
		assertEquals(1, LoadedSnapshot.of(snapshot).objects().size());
	}

	@Test
	void whatWasForgedIsReadAsAnObjectOrNoticed() throws Throwable {
		StoredObject forged = object("b", 1);
		SnapshotStore store = store();
		Map<String, Executable> forgeries = forgeries("pods", forged.key());
		assumeFalse(forgeries.isEmpty(), "the test of this store names no forgeries");
		for (Map.Entry<String, Executable> forgery : forgeries.entrySet()) {
			try (Snapshot before = claimed(store.open("pods"))) {
				commit(before, HEADER, Map.of("blue", "1", "green", "1"), object("a", 1), forged);
			}
			forgery.getValue().execute();
			Snapshot snapshot = claimed(store.open("pods"));
			try {
				assertEquals(Set.of(object("a", 1).key(), forged.key()), LoadedSnapshot.of(snapshot).objects().keySet(),
						forgery.getKey());
			}
			catch (SnapshotCorruptException ex) {
				assertNull(ex.getCause(), forgery.getKey());
			}
			catch (RuntimeException ex) {
				throw new AssertionError(forgery.getKey() + " must be noticed with a SnapshotCorruptException", ex);
			}
			snapshot.setAside("forged");
			assertNull(LoadedSnapshot.of(snapshot).head(), forgery.getKey());
			snapshot.close();
		}
	}

	@Test
	void contentMayBeLargeEmptyAndOfAnyBytes() throws Exception {
		byte[] large = new byte[1 << 20];
		IntStream.range(0, large.length).forEach((index) -> large[index] = (byte) (index * 31 + index / 251));
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of(), new StoredObject(ResourceKey.of("", "large"), "u1", "1", large),
				new StoredObject(ResourceKey.of("", "empty"), "", "2", new byte[0]));
		Map<ResourceKey, StoredObject> objects = LoadedSnapshot.of(store().open("pods")).objects();
		assertArrayEquals(large, Objects.requireNonNull(objects.get(ResourceKey.of("", "large"))).content());
		assertArrayEquals(new byte[0], Objects.requireNonNull(objects.get(ResourceKey.of("", "empty"))).content());
		assertTrue(snapshot.facts().bytes() >= large.length);
	}

	/**
	 * The object is one whose content could not be written: only key, uid and version are
	 * known.
	 */
	@Test
	void anObjectWithoutContentIsKeptAsSuchUntilItHasSome() throws Exception {
		Snapshot snapshot = writer("pods");
		StoredObject stored = object("a", 1);
		StoredObject unknown = new StoredObject(stored.key(), stored.uid(), stored.resourceVersion(), new byte[0]);
		StoredObject announced = new StoredObject(object("b", 1).key(), "", "1", new byte[0], true);
		commit(snapshot, HEADER, Map.of("", "1"), unknown, announced, object("c", 1));
		Map<ResourceKey, StoredObject> objects = LoadedSnapshot.of(store().open("pods")).objects();
		assertEquals(Set.of(unknown, announced, object("c", 1)), new HashSet<>(objects.values()));
		assertTrue(Objects.requireNonNull(objects.get(stored.key())).contentUnknown());
		assertEquals(3, snapshot.facts().objects());
		commit(snapshot, HEADER, Map.of("", "2"), stored);
		assertEquals(stored, LoadedSnapshot.of(snapshot).objects().get(stored.key()));
	}

	@Test
	void anAnnouncedObjectIsKeptAsSuchUntilItIsStored() throws Exception {
		Snapshot snapshot = writer("pods");
		StoredObject stored = object("a", 1);
		StoredObject announced = new StoredObject(stored.key(), stored.uid(), stored.resourceVersion(),
				stored.content(), true);
		commit(snapshot, HEADER, Map.of(), announced, object("b", 1));
		assertEquals(announced, LoadedSnapshot.of(snapshot).objects().get(stored.key()));
		commit(snapshot, HEADER, Map.of("", "1"), stored);
		assertEquals(stored, LoadedSnapshot.of(snapshot).objects().get(stored.key()));
	}

	@Test
	void keysMayBeLongAndOfAnyCharacters() throws Exception {
		Snapshot snapshot = writer("Ünï 'pods' \"; --");
		StoredObject[] objects = List
			.of(ResourceKey.of("n".repeat(253), "x".repeat(253)), ResourceKey.of("", "x"), ResourceKey.of("x", "X"),
					ResourceKey.of("x", "x"), ResourceKey.of("größe", "名前-😀"), ResourceKey.of("a'b", "c\"d%_\\ -- ;"),
					ResourceKey.of("x", "x "), ResourceKey.of("x", "system:node:1.2.3.4"))
			.stream()
			.map((key) -> new StoredObject(key, "uid-ü", "00017", key.name().getBytes(StandardCharsets.UTF_8)))
			.toArray(StoredObject[]::new);
		commit(snapshot, HEADER, Map.of("größe", "1"), objects);
		commit(snapshot, HEADER, Map.of("größe", "2"), objects);
		assertEquals(Set.of(objects), new HashSet<>(LoadedSnapshot.of(snapshot).objects().values()));
		snapshot.commit(new SnapshotCommit("third", last(snapshot), HEADER, List.of(),
				Arrays.stream(objects).skip(1).map(StoredObject::key).toList(), Map.of()));
		assertEquals(Set.of(objects[0].key()), LoadedSnapshot.of(snapshot).objects().keySet());
	}

	/**
	 * The client accepts versions of this length. A proxy for many clusters may send such
	 * versions.
	 */
	@Test
	void versionsMayBeLong() throws Exception {
		Map<String, String> cursors = Map.of("", "e".repeat(8192), "blue", "f".repeat(8191) + "ü");
		StoredObject object = new StoredObject(object("a", 1).key(), "u1", "g".repeat(8192), new byte[] { 1 });
		commit(writer("pods"), HEADER, cursors, object);
		closeAll();
		LoadedSnapshot loaded = LoadedSnapshot.of(store().open("pods"));
		assertEquals(cursors, head(loaded).cursors());
		assertEquals(Set.of(object), new HashSet<>(loaded.objects().values()));
	}

	@Test
	void tenThousandObjects() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of("", "1"), objects(10_000, 1));
		commit(snapshot, HEADER, Map.of("", "2"), objects(100, 2));
		closeAll();
		Snapshot reopened = store().open("pods");
		Map<ResourceKey, StoredObject> objects = LoadedSnapshot.of(reopened).objects();
		assertEquals(10_000, objects.size());
		assertEquals(100, objects.values().stream().filter((object) -> object.resourceVersion().equals("2")).count());
		assertEquals(10_000, reopened.facts().objects());
	}

	@Test
	void factsAreThoseOfWhatIsStored() throws Exception {
		Snapshot snapshot = writer("pods");
		commit(snapshot, HEADER, Map.of("blue", "17"), object("a", 1), object("b", 1));
		SnapshotFacts facts = snapshot.facts();
		assertEquals(2, facts.objects());
		assertTrue(facts.bytes() >= object("a", 1).content().length + object("b", 1).content().length);
		assertEquals(Map.of("blue", "17"), facts.cursors());
		assertEquals(head(LoadedSnapshot.of(snapshot)).committedAt(), facts.committedAt());
	}

	@Test
	void severalReflectorsCommitAtTheSameTime() throws Exception {
		SnapshotStore store = store();
		List<Callable<Object>> tasks = new ArrayList<>();
		for (int number = 0; number < 8; number++) {
			Snapshot snapshot = claimed(store.open("reflector-" + number));
			tasks.add(() -> {
				for (int round = 1; round <= 20; round++) {
					commit(snapshot, HEADER, Map.of("", "" + round), object("a" + round, round), object("b", round));
				}
				return snapshot;
			});
		}
		inParallel(tasks);
		closeAll();
		for (int number = 0; number < 8; number++) {
			LoadedSnapshot loaded = LoadedSnapshot.of(store().open("reflector-" + number));
			assertEquals(Map.of("", "20"), head(loaded).cursors());
			assertEquals(21, loaded.objects().size());
			assertEquals(object("b", 20), loaded.objects().get(object("b", 20).key()));
		}
	}

	@Test
	void theLocationHasNoCredentials() throws Exception {
		SnapshotStore store = store();
		store.open("pods").close();
		assertFalse(store.location().isBlank());
		assertFalse(store.location().contains("password"), store::location);
	}

	private static void inParallel(List<Callable<Object>> tasks) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
		try {
			for (Future<Object> task : threads.invokeAll(tasks)) {
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private SnapshotStore store() throws Exception {
		SnapshotStore store = openStore();
		if (store instanceof AutoCloseable closeable) {
			this.opened.push(closeable);
		}
		return new TrackingStore(store, this.opened);
	}

	private void closeAll() throws Exception {
		while (!this.opened.isEmpty()) {
			this.opened.pop().close();
		}
	}

	private Snapshot writer(String reflector) throws Exception {
		return claimed(store().open(reflector));
	}

	private static Snapshot claimed(Snapshot snapshot) {
		assertTrue(snapshot.claim());
		return snapshot;
	}

	private static boolean claim(Snapshot snapshot) {
		return snapshot.claim();
	}

	private static SnapshotHead head(LoadedSnapshot loaded) {
		SnapshotHead head = loaded.head();
		assertNotNull(head);
		return head;
	}

	private static void commit(Snapshot snapshot, SnapshotHeader header, Map<String, String> cursors,
			StoredObject... objects) {
		snapshot.commit(new SnapshotCommit(UUID.randomUUID().toString(), last(snapshot), header, List.of(objects),
				List.of(), cursors));
	}

	private static void commit(Snapshot snapshot, String id, String previous, StoredObject... objects) {
		snapshot.commit(new SnapshotCommit(id, previous, HEADER, List.of(objects), List.of(), Map.of("", "1")));
	}

	/** Returns the id of the last stored commit, empty if nothing is stored. */
	private static String last(Snapshot snapshot) {
		AtomicReference<String> last = new AtomicReference<>("");
		snapshot.load(new SnapshotReader() {

			@Override
			public boolean head(SnapshotHead head) {
				last.set(head.commit());
				return false;
			}

			@Override
			public void object(StoredObject object) {
				throw new AssertionError("An object that was not wanted: " + object);
			}

		});
		return last.get();
	}

	private static StoredObject[] objects(int count, int version) {
		return IntStream.range(0, count).mapToObj((index) -> object("o" + index, version)).toArray(StoredObject[]::new);
	}

	private static StoredObject object(String name, int version) {
		return new StoredObject(ResourceKey.of("default", name), "uid-of-" + name, "" + version,
				("content of " + name + " at " + version).getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * A store that remembers the opened snapshots, so that they are closed before the
	 * store.
	 */
	private record TrackingStore(SnapshotStore store, Deque<AutoCloseable> opened) implements SnapshotStore {

		@Override
		public Snapshot open(String reflector) {
			Snapshot snapshot = this.store.open(reflector);
			this.opened.push(snapshot);
			return snapshot;
		}

		@Override
		public String location() {
			return this.store.location();
		}

	}

}
