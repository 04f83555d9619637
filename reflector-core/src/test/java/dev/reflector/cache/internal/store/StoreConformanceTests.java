package dev.reflector.cache.internal.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.LongForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The test cases of client-go for its store, indexes, keys and listers.
 */
class StoreConformanceTests {

	private final AtomicInteger failures = new AtomicInteger();

	private final Indexer<Thing> indexer = new Indexer<>(MetadataAccessor.forType(Thing.class),
			this.failures::incrementAndGet, List.of());

	StoreConformanceTests() {
		this.indexer.addIndexers(Map.of("words",
				(thing) -> thing.payload().isEmpty() ? List.of() : Arrays.asList(thing.payload().split(","))));
	}

	private static ResourceKey key(String name) {
		return ResourceKey.of("default", name);
	}

	private void put(String name, String version, String payload) {
		this.indexer.put(key(name), Thing.of("default", name, version, payload));
	}

	private List<String> under(String word) {
		return names(this.indexer.byIndex("words", word));
	}

	private static List<String> names(List<Thing> things) {
		return things.stream().map(Thing::name).sorted().toList();
	}

	/** The whole index: names by value. */
	private Map<String, List<String>> index() {
		Map<String, List<String>> index = new HashMap<>();
		this.indexer.indexValues("words").forEach((word) -> index.put(word, under(word)));
		return index;
	}

	@Test
	void c272_aValueIsDroppedWithItsLastObject() {
		put("1", "1", "foo");
		assertThat(this.indexer.indexValues("words")).containsExactly("foo");
		this.indexer.delete(key("1"), "2");
		assertThat(this.indexer.indexValues("words")).isEmpty();
		assertThat(this.indexer.indexValues("namespace")).isEmpty();
	}

	@Test
	void c273_aValueStaysWhileItHasAnObject() {
		put("1", "1", "foo");
		put("2", "2", "foo");
		this.indexer.delete(key("1"), "3");
		assertThat(index()).containsOnly(Map.entry("foo", List.of("2")));
	}

	@Test
	void c274_theIndexFollowsEveryStep() {
		put("1", "1", "foo");
		put("2", "2", "bar");
		put("2", "3", "foo,bar");
		assertThat(index()).isEqualTo(Map.of("foo", List.of("1", "2"), "bar", List.of("2")));
		put("1", "4", "foo,bar");
		assertThat(index()).isEqualTo(Map.of("foo", List.of("1", "2"), "bar", List.of("1", "2")));
		put("3", "5", "foo,bar,baz");
		assertThat(index())
			.isEqualTo(Map.of("foo", List.of("1", "2", "3"), "bar", List.of("1", "2", "3"), "baz", List.of("3")));
		put("1", "6", "foo");
		assertThat(index())
			.isEqualTo(Map.of("foo", List.of("1", "2", "3"), "bar", List.of("2", "3"), "baz", List.of("3")));
		put("2", "7", "bar");
		assertThat(index()).isEqualTo(Map.of("foo", List.of("1", "3"), "bar", List.of("2", "3"), "baz", List.of("3")));
		this.indexer.delete(key("1"), "8");
		assertThat(index()).isEqualTo(Map.of("foo", List.of("3"), "bar", List.of("2", "3"), "baz", List.of("3")));
		this.indexer.delete(key("3"), "9");
		assertThat(index()).isEqualTo(Map.of("bar", List.of("2")));
	}

	@Test
	void c275_aNewMirrorHasNoVersion() {
		assertThat(this.indexer.resourceVersion()).isEmpty();
	}

	@Test
	void c276_c277_c282_theVersionIsThatOfTheLastWrite() {
		put("1", "10", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("10");
		put("2", "10", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("10");
		put("3", "20", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("20");
		this.indexer.delete(key("3"), "30");
		assertThat(this.indexer.resourceVersion()).isEqualTo("30");
		assertThat(names(this.indexer.list())).containsExactly("1", "2");
	}

	@Test
	void c278_c279_anObjectWithoutAVersionDoesNotChangeTheVersion() {
		put("1", "40", "");
		put("2", "", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("40");
		this.indexer.delete(key("1"), "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("40");
		assertThat(names(this.indexer.list())).containsExactly("2");
	}

	@Test
	void c280_theVersionIsThatOfTheLastOfSeveralWrites() {
		put("1", "40", "");
		put("2", "30", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("30");
		put("3", "50", "");
		assertThat(this.indexer.resourceVersion()).isEqualTo("50");
	}

	@ParameterizedTest
	@ValueSource(strings = { "50", "5", "" })
	void c281_theVersionOfAStateIsThatOfItsList(String version) {
		put("0", "10", "");
		this.indexer.replace(Map.of(key("1"), Thing.of("1", "40"), key("2"), Thing.of("2", "30")), List.of(key("0")),
				version);
		assertThat(this.indexer.resourceVersion()).isEqualTo(version);
		assertThat(names(this.indexer.list())).containsExactly("1", "2");
	}

	@Test
	void c283_findsTheLastStoredObject() {
		put("foo", "1", "bar");
		assertThat(this.indexer.get(key("foo"))).extracting(Thing::payload).isEqualTo("bar");
		put("foo", "2", "baz");
		assertThat(this.indexer.get(key("foo"))).extracting(Thing::payload).isEqualTo("baz");
		this.indexer.delete(key("foo"), "3");
		assertThat(this.indexer.get(key("foo"))).isNull();
		this.indexer.delete(key("foo"), "3");
		assertThat(this.indexer.size()).isZero();
	}

	@Test
	void c284_listsExactlyTheStoredObjects() {
		put("a", "1", "b");
		put("c", "2", "d");
		put("e", "3", "f");
		assertThat(names(this.indexer.list())).containsExactly("a", "c", "e");
		this.indexer.replace(Map.of(key("foo"), Thing.of("foo", "4"), key("bar"), Thing.of("bar", "4")),
				List.of(key("a"), key("c"), key("e")), "4");
		assertThat(names(this.indexer.list())).containsExactly("bar", "foo");
		assertThat(this.indexer.indexValues("words")).isEmpty();
	}

	@Test
	void c287_findsObjectsThatShareAValueWithAnObject() {
		put("a", "1", "b");
		put("c", "2", "b");
		put("e", "3", "f");
		put("g", "4", "h");
		put("i", "5", "f,h");
		assertThat(names(like("b"))).containsExactly("a", "c");
		assertThat(names(like("f"))).containsExactly("e", "i");
		assertThat(names(like("f,h,z"))).containsExactly("e", "g", "i");
		assertThat(like("z")).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.indexer.byIndexOf("nope", Thing.of("x", "1")))
			.withMessageStartingWith("There is no index 'nope', only [");
		assertThat(this.failures).hasValue(0);
	}

	private List<Thing> like(String words) {
		return this.indexer.byIndexOf("words", Thing.of("default", "query", "", words));
	}

	@Test
	void c293_listsTheValuesOfAnIndex() {
		put("pod1", "1", "bar");
		put("pod2", "2", "bar");
		put("pod3", "3", "biz");
		assertThat(this.indexer.indexValues("words")).containsExactlyInAnyOrder("bar", "biz");
		assertThatIllegalArgumentException().isThrownBy(() -> this.indexer.indexValues("nope"));
	}

	private void putUsers() {
		put("1", "1", "ernie,bert");
		put("2", "2", "bert,oscar");
		put("3", "3", "ernie,elmo");
	}

	@Test
	void c294_anObjectIsFoundUnderEachOfItsValues() {
		putUsers();
		assertThat(under("ernie")).containsExactly("1", "3");
		assertThat(under("bert")).containsExactly("1", "2");
		assertThat(under("elmo")).containsExactly("3");
		assertThat(under("oscar")).containsExactly("2");
		assertThat(under("elmo1")).isEmpty();
	}

	@Test
	void c295_aDeletedObjectIsFoundUnderNoValue() {
		putUsers();
		this.indexer.delete(key("3"), "4");
		assertThat(under("ernie")).containsExactly("1");
		assertThat(under("elmo")).isEmpty();
	}

	@Test
	void c296_aChangedObjectIsNotFoundUnderItsFormerValues() {
		putUsers();
		put("2", "4", "oscar");
		assertThat(under("bert")).containsExactly("1");
		assertThat(under("oscar")).containsExactly("2");
	}

	@Test
	void c297_keysAreReadAndWritten() {
		Random random = new Random(297);
		for (int i = 0; i < 2000; i++) {
			String text = random.ints(random.nextInt(8), 0, 10)
				.mapToObj((letter) -> "abcdefghi/".substring(letter, letter + 1))
				.reduce("", String::concat);
			long slashes = text.chars().filter((letter) -> letter == '/').count();
			if (slashes > 1) {
				assertThatIllegalArgumentException().isThrownBy(() -> ResourceKey.parse(text))
					.withMessage("unexpected key format: \"" + text + "\"");
			}
			else {
				String printed = text.startsWith("/") ? text.substring(1) : text;
				assertThat(ResourceKey.parse(text)).hasToString(printed);
				assertThat(ResourceKey.parse(text).name()).isEqualTo(text.substring(text.indexOf('/') + 1));
			}
		}
	}

	private void fill(String namespace, int count, int matching) {
		Thing match = Thing.of(namespace, "match", "1", "match");
		Thing other = Thing.of(namespace, "other", "1", "");
		Map<ResourceKey, Thing> objects = new LinkedHashMap<>(count * 4 / 3 + 1);
		for (int i = 0; i < count; i++) {
			objects.put(ResourceKey.of(namespace, "o" + i), (i < matching) ? match : other);
		}
		this.indexer.replace(objects, List.of(), "1");
	}

	@Test
	void c298_aTenthOfManyObjectsIsFound() {
		fill("default", 100_000, 10_000);
		assertThat(under("match")).hasSize(10_000);
		assertThat(this.indexer.list("default").size()).isEqualTo(100_000);
		assertThat(this.indexer.list().stream().filter((thing) -> thing.payload().equals("match"))).hasSize(10_000);
	}

	@Test
	void c299_c300_allOfVeryManyObjectsAreListedAndNoneIsFoundWhereNoneMatches() {
		int many = LongForm.times(1_000_000, 100_000);
		fill("", many, 0);
		assertThat(this.indexer.list().size()).isEqualTo(many);
		assertThat(this.indexer.list("").size()).isEqualTo(many);
		assertThat(under("match")).isEmpty();
		assertThat(this.indexer.list().stream().noneMatch((thing) -> thing.payload().equals("match"))).isTrue();
	}

}
