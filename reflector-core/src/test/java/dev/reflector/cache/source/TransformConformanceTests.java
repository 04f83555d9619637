package dev.reflector.cache.source;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for transformers, run with a {@link TransformFunction}
 * between the source and the queue.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransformConformanceTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	/** How often each version of an object was transformed. */
	private final Map<String, Integer> transformed = new ConcurrentSkipListMap<>();

	/** The changes that the handler got. Each transformation adds a {@code !}. */
	private final Queue<String> told = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private Thing transform(Thing thing) {
		this.transformed.merge(thing.toString(), 1, Integer::sum);
		return Thing.of(thing.metadata().namespace(), thing.name(), thing.version(), thing.payload() + "!");
	}

	private void start(Ordering ordering) {
		this.fixture.listerWatcher = new TransformingListerWatcher<>(this.source, this::transform,
				MetadataAccessor.forType(Thing.class));
		this.fixture.recorder.hook = (change) -> this.told
			.add(change.type() + " " + change.object() + change.object().payload()
					+ ((change.previous() != null) ? " was " + change.previous() + change.previous().payload() : "")
					+ (change.finalStateUnknown() ? " unseen" : ""));
		this.fixture.start(InformerFixture.listing().ordering(ordering));
	}

	@ParameterizedTest
	@EnumSource
	void c098_eachObjectIsTransformedOnceAndTombstonesAreNot(Ordering ordering) throws Exception {
		this.source.answer("9");
		start(ordering);
		// one event at a time: changes that wait in the queue together could be merged
		ScriptedSource.Stream watch = this.source.nextWatch().added(Thing.of("foo", "10"));
		awaitTold(1);
		watch.added(Thing.of("bar", "11"));
		awaitTold(2);
		watch.modified(Thing.of("foo", "12"));
		awaitTold(3);
		watch.deleted(Thing.of("foo", "15"));
		awaitTold(4);
		this.source.answer("15");
		watch.error(410, "Expired");
		this.fixture.passDelay(1);
		watch = this.source.nextWatch();
		awaitTold(5);
		watch.added(Thing.of("bar", "16"));
		awaitTold(6);
		this.source.answer("17");
		watch.error(410, "Expired");
		this.fixture.passDelay(2);
		this.source.nextWatch();
		awaitTold(7);
		assertThat(this.told).containsExactly("ADDED foo@10!", "ADDED bar@11!", "UPDATED foo@12! was foo@10!",
				"DELETED foo@15! was foo@12!", "DELETED bar@11! was bar@11! unseen", "ADDED bar@16!",
				"DELETED bar@16! was bar@16! unseen");
		assertOnceEach("bar@11", "bar@16", "foo@10", "foo@12", "foo@15");
	}

	@ParameterizedTest
	@EnumSource
	void c098_aResyncTransformsNothing(Ordering ordering) throws Exception {
		this.source.answer("1", Thing.of("a", "1"));
		start(ordering);
		this.source.nextWatch();
		this.fixture.recorder.awaitChanges("+a@1 initial");
		this.fixture.informer.resync();
		this.fixture.recorder.awaitChanges("+a@1 initial", "~a@1>a@1 resync");
		assertThat(this.told).containsExactly("ADDED a@1!", "UPDATED a@1! was a@1!");
		assertOnceEach("a@1");
	}

	@Test
	void anObjectOfAListForWhichTheFunctionReturnsNothingIsKept() throws Exception {
		this.fixture.listerWatcher = new TransformingListerWatcher<>(this.source,
				(thing) -> thing.version().equals("2") ? null : thing, MetadataAccessor.forType(Thing.class));
		this.source.answer("1", Thing.of("a", "1"), Thing.of("b", "1"));
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch();
		this.source.answer("3", Thing.of("a", "2"));
		this.fixture.informer.relist();
		this.source.nextWatch().added(Thing.of("c", "4"));
		this.fixture.recorder.awaitChanges("+a@1 initial", "+b@1 initial", "-b@1 unseen", "+c@4");
		assertThat(this.fixture.informer.skippedObjects()).singleElement()
			.satisfies((skipped) -> assertThat(skipped.object()).isEqualTo("default/a"));
	}

	@ParameterizedTest
	@EnumSource
	void c098_anObjectThatCannotBeTransformedIsNotQueued(Ordering ordering) throws Exception {
		this.fixture.listerWatcher = new TransformingListerWatcher<>(this.source, (thing) -> {
			if (thing.name().equals("bad")) {
				throw new IllegalArgumentException("boom");
			}
			return transform(thing);
		}, MetadataAccessor.forType(Thing.class));
		this.source.answer("1");
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		this.source.nextWatch().added(Thing.of("bad", "2")).added(Thing.of("good", "3"));
		this.fixture.recorder.awaitChanges("+good@3");
		assertThat(this.fixture.mirror()).containsExactly("good@3");
		assertThat(this.fixture.informer.status().lastError()).isNotNull();
		assertThat(this.fixture.informer.status().lastError().message()).contains("default/bad")
			.contains("IllegalArgumentException");
	}

	private void awaitTold(int changes) {
		await().untilAsserted(() -> assertThat(this.told).hasSizeGreaterThanOrEqualTo(changes));
	}

	private void assertOnceEach(String... versions) {
		Map<String, Integer> expected = new TreeMap<>();
		for (String version : versions) {
			expected.put(version, 1);
		}
		assertThat(this.transformed).isEqualTo(expected);
	}

}
