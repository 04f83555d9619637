package dev.reflector.cache.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class IndexerTests {

	private final AtomicInteger failures = new AtomicInteger();

	private final Indexer<Thing> indexer = mirror((thing) -> {
		if (thing.payload().equals("bad")) {
			throw new IllegalStateException("broken index function");
		}
		return Arrays.asList(thing.payload().split(","));
	});

	private Indexer<Thing> mirror(IndexFunction<Thing> words) {
		Indexer<Thing> mirror = new Indexer<>(MetadataAccessor.forType(Thing.class), this.failures::incrementAndGet,
				List.of());
		mirror.addIndexers(Map.of("words", words));
		return mirror;
	}

	private void put(String name, String version, String payload) {
		this.indexer.put(ResourceKey.of("default", name), Thing.of("default", name, version, payload));
	}

	private List<String> under(String word) {
		return this.indexer.byIndex("words", word).stream().map(Thing::name).sorted().toList();
	}

	@Test
	void c274_theIndexFollowsChangesOfValues() {
		put("1", "1", "foo");
		put("2", "2", "bar");
		put("2", "3", "foo,bar");
		put("1", "4", "foo,bar");
		put("3", "5", "foo,bar,baz");
		assertThat(under("foo")).containsExactly("1", "2", "3");
		assertThat(under("bar")).containsExactly("1", "2", "3");
		assertThat(under("baz")).containsExactly("3");
		put("1", "6", "foo");
		put("2", "7", "bar");
		assertThat(under("foo")).containsExactly("1", "3");
		assertThat(under("bar")).containsExactly("2", "3");
		this.indexer.delete(ResourceKey.of("default", "1"), "8");
		this.indexer.delete(ResourceKey.of("default", "3"), "9");
		assertThat(under("foo")).isEmpty();
		assertThat(under("bar")).containsExactly("2");
		assertThat(under("baz")).isEmpty();
	}

	@Test
	void anObjectOfAClusterScopedTypeIsFoundByItsNameAlone() {
		Thing node = Thing.of("", "n1", "1", "x");
		this.indexer.put(ResourceKey.of("", "n1"), node);
		put("n2", "2", "x");
		assertThat(this.indexer.get("n1")).isSameAs(node);
		assertThat(this.indexer.find("n1")).containsSame(node);
		assertThat(this.indexer.get("n2")).isNull();
		assertThat(this.indexer.find("n2")).isEmpty();
	}

	@Test
	void aStreamShowsTheSnapshotOfItsCallDuringLaterWrites() {
		for (int i = 0; i < 100; i++) {
			put("t" + i, "1", "old");
		}
		Stream<Thing> all = this.indexer.stream();
		Stream<Thing> ofNamespace = this.indexer.stream("default");
		Iterator<Thing> half = this.indexer.stream().iterator();
		List<Thing> read = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			read.add(half.next());
		}
		for (int i = 0; i < 100; i++) {
			this.indexer.delete(ResourceKey.of("default", "t" + i), "2");
			put("u" + i, "3", "new");
		}
		half.forEachRemaining(read::add);
		String[] names = IntStream.range(0, 100).mapToObj((i) -> "t" + i).toArray(String[]::new);
		assertThat(read).extracting(Thing::name).containsExactlyInAnyOrder(names);
		assertThat(all).extracting(Thing::name).containsExactlyInAnyOrder(names);
		assertThat(ofNamespace).extracting(Thing::name).containsExactlyInAnyOrder(names);
		assertThat(this.indexer.stream()).hasSize(100).allMatch((thing) -> thing.payload().equals("new"));
		assertThat(this.indexer.stream().parallel().map(Thing::name).distinct().count()).isEqualTo(100);
	}

	@Test
	void streamsAndLooksUpLikeListAndGet() {
		assertThat(this.indexer.stream()).isEmpty();
		put("1", "1", "foo");
		this.indexer.put(ResourceKey.of("", "2"), Thing.of("", "2", "1", "bar"));
		assertThat(this.indexer.stream("")).containsExactlyInAnyOrderElementsOf(this.indexer.list());
		assertThat(this.indexer.stream("default")).containsExactlyElementsOf(this.indexer.list("default"));
		assertThat(this.indexer.stream("other")).isEmpty();
		assertThat(this.indexer.find("default", "1")).containsSame(this.indexer.list("default").get(0));
		assertThat(this.indexer.find(ResourceKey.of("default", "1"))).isEqualTo(this.indexer.find("default", "1"));
		assertThat(this.indexer.find(null, "2")).isPresent().isEqualTo(this.indexer.find("", "2"));
		assertThat(this.indexer.find("default", "2")).isEmpty();
	}

	@Test
	void aListIntoAnEmptyMirrorIsIndexedLikeSinglePuts() {
		Map<ResourceKey, Thing> listed = new LinkedHashMap<>();
		for (int i = 0; i < 1000; i++) {
			Thing thing = Thing.of((i % 3 == 0) ? "" : "ns-" + i % 7, "t" + i, "1", "w" + i % 10 + ",all,all");
			listed.put(ResourceKey.of(thing.metadata().namespace(), thing.name()), thing);
		}
		this.indexer.replace(listed, List.of(), "1");
		Indexer<Thing> grown = mirror((thing) -> Arrays.asList(thing.payload().split(",")));
		listed.forEach(grown::put);
		assertThat(this.indexer.indexValues("words")).isEqualTo(grown.indexValues("words")).contains("w9", "all");
		assertThat(this.indexer.indexValues(Lister.NAMESPACE_INDEX))
			.isEqualTo(grown.indexValues(Lister.NAMESPACE_INDEX))
			.hasSize(7);
		for (String word : grown.indexValues("words")) {
			assertThat(this.indexer.byIndex("words", word))
				.containsExactlyInAnyOrderElementsOf(grown.byIndex("words", word));
		}
		assertThat(this.indexer.list("ns-1")).isNotEmpty().containsExactlyInAnyOrderElementsOf(grown.list("ns-1"));
		assertThat(this.indexer.resourceVersion()).isEqualTo("1");
	}

	@Test
	void aDeletedObjectIsNotFoundEvenIfItsIndexFunctionFails() {
		AtomicBoolean broken = new AtomicBoolean();
		Indexer<Thing> mirror = mirror((thing) -> {
			if (broken.get()) {
				throw new IllegalStateException("broken since");
			}
			return List.of(thing.payload());
		});
		ResourceKey key = ResourceKey.of("default", "1");
		mirror.put(key, Thing.of("default", "1", "1", "foo"));
		broken.set(true);
		mirror.delete(key, "2");
		assertThat(mirror.byIndex("words", "foo")).isEmpty();
		assertThat(this.failures).hasPositiveValue();
	}

	@Test
	void anObjectIsIndexedWhenItsIndexFunctionWorksAgain() {
		AtomicBoolean broken = new AtomicBoolean(true);
		Indexer<Thing> mirror = mirror((thing) -> {
			if (broken.get()) {
				throw new IllegalStateException("not yet");
			}
			return List.of(thing.payload());
		});
		ResourceKey key = ResourceKey.of("default", "1");
		mirror.put(key, Thing.of("default", "1", "1", "foo"));
		assertThat(mirror.byIndex("words", "foo")).isEmpty();
		broken.set(false);
		mirror.put(key, Thing.of("default", "1", "2", "foo"));
		assertThat(mirror.byIndex("words", "foo")).extracting(Thing::version).containsExactly("2");
	}

	@Test
	void anIndexShowsTheNewInstanceOfAnObject() {
		put("1", "1", "foo");
		put("1", "2", "foo");
		assertThat(this.indexer.byIndex("words", "foo")).extracting(Thing::version).containsExactly("2");
	}

	@Test
	void e12_aFailingIndexFunctionIsReportedAndOnlyAffectsItsObject() {
		put("1", "1", "foo");
		put("1", "2", "bad");
		put("2", "3", "foo");
		assertThat(this.indexer.size()).isEqualTo(2);
		assertThat(under("foo")).containsExactly("2");
		assertThat(this.failures).hasValueGreaterThan(0);
		put("1", "4", "foo");
		assertThat(under("foo")).containsExactly("1", "2");
	}

	@Test
	void e12_byIndexOfThrowsTheErrorOfTheIndexFunction() {
		put("1", "1", "foo");
		Thing bad = new Thing(null, "bad");
		assertThatIllegalStateException().isThrownBy(() -> this.indexer.byIndexOf("words", bad))
			.withMessage("broken index function");
		assertThat(this.failures).hasValue(0);
		assertThat(this.indexer.byIndexOf("words", new Thing(null, "foo"))).hasSize(1);
	}

	@Test
	void s33_anUnknownIndexIsAnError() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.indexer.byIndex("nope", "x"))
			.withMessageStartingWith("There is no index 'nope', only [");
	}

	@Test
	void s38_findsByNamespace() {
		this.indexer.put(ResourceKey.of("a", "x"), Thing.of("a", "x", "1", ""));
		this.indexer.put(ResourceKey.of("b", "x"), Thing.of("b", "x", "2", ""));
		assertThat(this.indexer.list("a")).hasSize(1);
		assertThat(this.indexer.list("")).hasSize(2);
		assertThat(this.indexer.list("c")).isEmpty();
		assertThat(this.indexer.byIndex("namespace", "b")).extracting(Thing::version).containsExactly("2");
	}

	@Test
	void s20_knowsTheVersionOfItsContent() {
		assertThat(this.indexer.resourceVersion()).isEmpty();
		put("1", "10", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("10");
		this.indexer.bookmark("15");
		assertThat(this.indexer.resourceVersion()).isEqualTo("15");
		this.indexer.delete(ResourceKey.of("default", "1"), "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("15");
		this.indexer.replace(Map.of(), List.of(), "20");
		assertThat(this.indexer.resourceVersion()).isEqualTo("20");
	}

	@Test
	void s34_anIndexCannotTakeTheNameOfAnother() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.indexer.addIndexers(Map.of("namespace", (thing) -> List.of("x"))))
			.withMessageContaining("indexer conflict");
	}

	@Test
	void listsCannotBeChanged() {
		put("1", "1", "foo");
		org.assertj.core.api.Assertions.assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.indexer.list().clear());
	}

}
