package dev.reflector.sharding.source;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardHash;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.StaticAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ShardedListerWatcher} with the second of two shares.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShardedListerWatcherTests {

	private static final ListOptions LIST = new ListOptions(null, "", 0, "");

	private static final WatchOptions WATCH = new WatchOptions(null, "1", Duration.ofMinutes(5), true, false);

	private final ScriptedSource source = new ScriptedSource();

	private final ShardedListerWatcher<Thing> sharded = sharded(ShardField.UID, this.source);

	private static StaticShard shard(ShardField field) {
		return new StaticShard(new StaticAssignment(1, 2, new Slots(64)), field);
	}

	private static ShardedListerWatcher<Thing> sharded(ShardField field, ListerWatcher<Thing> source) {
		return new ShardedListerWatcher<>("things", source, MetadataAccessor.forType(Thing.class), shard(field));
	}

	/** Texts whose hash is in the upper half of all hashes, or not. */
	private static List<String> texts(boolean upper, int count) {
		return IntStream.iterate(0, (i) -> i + 1)
			.mapToObj((i) -> "text-" + i)
			.filter((text) -> ShardHash.of(text) < 0 == upper)
			.limit(count)
			.toList();
	}

	private static Thing own(int i) {
		return Thing.of("own" + i, "3").withUid(texts(true, i + 1).get(i));
	}

	private static Thing foreign(int i) {
		return Thing.of("foreign" + i, "3").withUid(texts(false, i + 1).get(i));
	}

	private ListPage<Thing> list(Thing... answer) {
		this.source.answer("7", answer);
		return list(this.sharded);
	}

	private static ListPage<Thing> list(ListerWatcher<Thing> source) {
		return source.list(LIST).blockOptional().orElseThrow();
	}

	@Test
	void asksTheServerForTheShard() {
		list();
		this.sharded.watch(WATCH).subscribe().dispose();
		String selector = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "", 0, "", null, selector));
		assertThat(this.source.watches)
			.containsExactly(new WatchOptions(null, "1", Duration.ofMinutes(5), true, false, selector));
		assertThat(this.sharded.shard().selector()).isEqualTo(selector);
		assertThat(this.sharded.shard().index()).isEqualTo(1);
		assertThat(this.sharded.shard().count()).isEqualTo(2);
	}

	@Test
	void x27_listsLoseWhatBelongsToOtherShards(CapturedOutput output) {
		this.source.answerPage("7", "more", own(0), foreign(0), own(1));
		ListPage<Thing> page = list(this.sharded);
		assertThat(page.items()).hasToString("[own0@3, own1@3]");
		assertThat(page.resourceVersion()).isEqualTo("7");
		assertThat(page.continueToken()).isEqualTo("more");
		assertThat(this.sharded.filteredBy()).isEqualTo(FilteredBy.CLIENT);
		list(foreign(1), foreign(2));
		assertThat(output).containsOnlyOnce("Reflector 'things': the server does not filter by shard, so the "
				+ "client drops objects that are not of shard 1 of 2 by uid in 64 slots");
	}

	@Test
	void x27_watchesLoseWhatBelongsToOtherShardsAndNothingElse() throws InterruptedException {
		List<WatchEvent<Thing>> events = new ArrayList<>();
		this.sharded.watch(WATCH).subscribe(events::add);
		ScriptedSource.Stream stream = this.source.nextWatch();
		stream.send(new WatchEvent.Opened<>());
		stream.added(own(0)).modified(own(0)).deleted(own(0));
		assertThat(this.sharded.filteredBy()).isEqualTo(FilteredBy.UNKNOWN);
		stream.added(foreign(0));
		assertThat(this.sharded.filteredBy()).isEqualTo(FilteredBy.CLIENT);
		stream.modified(foreign(0)).deleted(foreign(0));
		SkippedObject skipped = new SkippedObject(ResourceKey.of("default", "odd"), "3", "odd");
		stream.send(new WatchEvent.Skipped<>("ADDED", skipped)).bookmark("8").endMarker("9").error(410, "Expired");
		assertThat(events).containsExactly(new WatchEvent.Opened<>(), new WatchEvent.Added<>(own(0)),
				new WatchEvent.Modified<>(own(0)), new WatchEvent.Deleted<>(own(0)),
				new WatchEvent.Skipped<>("ADDED", skipped), new WatchEvent.Bookmark<>("8", false),
				new WatchEvent.Bookmark<>("9", true),
				new WatchEvent.Error<>(ScriptedSource.status(410, "Expired").status()));
	}

	@Test
	void theServerFiltersAsFarAsSeenWhenManyObjectsAreAllOfThisShard(CapturedOutput output) {
		list(IntStream.range(0, 19).mapToObj(ShardedListerWatcherTests::own).toArray(Thing[]::new));
		list(own(0), own(1), own(2));
		assertThat(this.sharded.filteredBy()).isEqualTo(FilteredBy.UNKNOWN);
		list(own(19));
		assertThat(this.sharded.filteredBy()).isEqualTo(FilteredBy.SERVER);
		assertThat(output).containsOnlyOnce("so far, it has sent only objects of shard 1 of 2");
		assertThat(list(foreign(0), own(0)).items()).hasToString("[own0@3]");
		assertThat(this.sharded.filteredBy()).isEqualTo(FilteredBy.CLIENT);
	}

	@Test
	void whoAsksForNearlyEverythingHasSeenLittle() {
		Slots slots = new Slots(4);
		MirroredSlots mirrored = new MirroredSlots(slots, ShardField.UID);
		ShardedListerWatcher<Thing> source = new ShardedListerWatcher<>("things", this.source,
				MetadataAccessor.forType(Thing.class), mirrored);
		mirrored.change(DesiredSlots.of(List.of(0, 1, 2, 3)));
		Thing[] all = IntStream.range(0, 100)
			.mapToObj((i) -> Thing.of("t" + i, "3").withUid("t" + i))
			.toArray(Thing[]::new);
		this.source.answer("7", all);
		list(source);
		assertThat(source.filteredBy()).isEqualTo(FilteredBy.UNKNOWN);
		mirrored.change(DesiredSlots.of(List.of(0, 1, 2)));
		// of three quarters, 48 objects say as much as 20 of a half
		Thing[] most = Stream.of(all).filter((thing) -> slots.slotOf(thing.metadata().uid()) < 3).toArray(Thing[]::new);
		this.source.answer("8", Arrays.copyOf(most, 48));
		list(source);
		assertThat(source.filteredBy()).isEqualTo(FilteredBy.UNKNOWN);
		this.source.answer("9", Arrays.copyOf(most, 49));
		list(source);
		assertThat(source.filteredBy()).isEqualTo(FilteredBy.SERVER);
	}

	@Test
	void whatTheServerSaysCountsUntilAnObjectProvesTheOpposite() {
		ListerWatcher<Thing> talkative = new DelegatingListerWatcher<>(this.source) {

			@Override
			public Mono<ListPage<Thing>> list(ListOptions options) {
				return super.list(options).map((page) -> new ListPage<>(page.items(), page.resourceVersion(), "",
						page.skipped(), options.shardSelector()));
			}

		};
		ShardedListerWatcher<Thing> sharded = sharded(ShardField.UID, talkative);
		this.source.answer("7").answer("7", foreign(0)).answer("7", own(0));
		list(sharded);
		assertThat(sharded.filteredBy()).isEqualTo(FilteredBy.SERVER);
		assertThat(list(sharded).items()).isEmpty();
		assertThat(sharded.filteredBy()).isEqualTo(FilteredBy.CLIENT);
		list(sharded);
		assertThat(sharded.filteredBy()).isEqualTo(FilteredBy.CLIENT);
	}

	@Test
	void namespacesAreKeptTogether() {
		String own = texts(true, 1).get(0);
		String other = texts(false, 1).get(0);
		ResourceKey skipped = ResourceKey.of(own, "odd");
		this.source.answer("7", Thing.of(own, "a", "3", ""), Thing.of(other, "b", "3", ""),
				Thing.of(own, "c", "3", ""));
		ShardedListerWatcher<Thing> sharded = sharded(ShardField.NAMESPACE, this.source);
		assertThat(list(sharded).items()).hasToString("[a@3, c@3]");
		this.source.answerSkipping("7", new SkippedObject(skipped, "3", "odd"));
		assertThat(list(sharded).skipped()).extracting(SkippedObject::key).containsExactly(skipped);
		this.source.answerSkipping("7", new SkippedObject(ResourceKey.of(other, "odd"), "3", "odd"));
		assertThat(list(sharded).skipped()).isEmpty();
		this.source.answerSkipping("7", new SkippedObject(null, "3", "odd"));
		assertThat(list(sharded).skipped()).hasSize(1);
	}

	@Test
	void versionsAreFilteredWhereTheyCanBe() {
		ResourceKey own = ResourceKey.of(texts(true, 1).get(0), "a");
		ResourceKey other = ResourceKey.of(texts(false, 1).get(0), "a");
		ListerWatcher<Thing> versions = new DelegatingListerWatcher<>(this.source) {

			@Override
			public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
				assertThat(options.shardSelector()).startsWith("shardRange(object.metadata.namespace, ");
				return Mono.just(new ListPage<>(List.of(new ObjectVersion(own, "3"), new ObjectVersion(other, "3")),
						"7", "more", List.of()));
			}

		};
		ListPage<ObjectVersion> page = sharded(ShardField.NAMESPACE, versions).listVersions(LIST).block();
		assertThat(page.items()).containsExactly(new ObjectVersion(own, "3"));
		assertThat(page.continueToken()).isEqualTo("more");
		// versions come without UIDs
		assertThat(sharded(ShardField.UID, versions).listVersions(LIST).blockOptional()).isEmpty();
	}

	/** A genuine server accepts a watch from a version that it has not reached. */
	@ParameterizedTest
	@EnumSource
	void aServerThatWasRestoredIsListedAgain(ShardField field) throws Exception {
		InformerFixture fixture = new InformerFixture();
		List<ListOptions> asked = new CopyOnWriteArrayList<>();
		fixture.listerWatcher = sharded(field, new DelegatingListerWatcher<>(fixture.source) {

			@Override
			public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
				asked.add(options);
				return Mono
					.error(new ApiException("behind",
							new Status(504, "Timeout", "Too large resource version: 9, current: 4",
									List.of(new Status.Cause("ResourceVersionTooLarge", "", "")), 1, true),
							Duration.ZERO));
			}

		});
		fixture.source.answer("9").failWatch(new ConnectException("refused")).answer("4");
		fixture.start(InformerFixture.listing());
		try {
			fixture.passDelay(1);
			fixture.source.nextWatch().send(new WatchEvent.Opened<>());
			await().untilAsserted(() -> assertThat(asked).singleElement().satisfies((options) -> {
				assertThat(options.resourceVersion()).isEqualTo("9");
				assertThat(options.limit()).isOne();
			}));
			fixture.passDelay(2);
			fixture.awaitVersion("4");
		}
		finally {
			fixture.close();
		}
	}

	/** All such objects would belong to the same replica. */
	@Test
	void anObjectWithoutAUidIsAnErrorWhenObjectsAreDividedByUid() {
		this.source.answer("7", Thing.of("plain", "3"));
		assertThatIllegalStateException().isThrownBy(() -> list(this.sharded))
			.withMessageContaining("declare 'metadata.uid' in " + Thing.class.getName());
		this.source.answer("7", Thing.of("plain", "3"));
		assertThat(list(sharded(ShardField.NAMESPACE, this.source)).items().size()).isBetween(0, 1);
	}

	@ParameterizedTest
	@EnumSource
	void anObjectWithoutMetadataIsPassedOn(ShardField field) {
		this.source.answer("7", new Thing(null, "broken"));
		assertThat(list(sharded(field, this.source)).items()).hasSize(1);
	}

	@Test
	void theSnapshotsOfSharesHaveTheirOwnNames() {
		SnapshotStore store = new SnapshotStore() {

			@Override
			public Snapshot open(String reflector) {
				throw new IllegalArgumentException(reflector);
			}

			@Override
			public String location() {
				return "here";
			}

			@Override
			public boolean isLocal() {
				return true;
			}

		};
		assertThat(shard(ShardField.UID).snapshots(store).location()).isEqualTo("here");
		assertThat(shard(ShardField.UID).snapshots(store).isLocal()).isTrue();
		assertThatThrownBy(() -> shard(ShardField.UID).snapshots(store).open("things"))
			.hasMessage("things shard 1 of 2 by uid in 64 slots");
		assertThatThrownBy(() -> shard(ShardField.NAMESPACE).snapshots(store).open("things"))
			.hasMessage("things shard 1 of 2 by namespace in 64 slots");
	}

}
