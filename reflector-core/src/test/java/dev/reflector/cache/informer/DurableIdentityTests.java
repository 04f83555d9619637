package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.cache.source.ListOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests which cluster a snapshot is of: that a refusal does not decide it, and that a uid
 * and a URL are never compared with each other.
 */
class DurableIdentityTests extends DurableProcesses {

	private static final String FORBIDDEN = "url:https://one";

	/** A process with a uid for each object has stored a and b at version 5. */
	private void storedBy(String identity) throws Exception {
		this.server = identity;
		givenSnapshot("5", Thing.of("a", "3").withUid("ua"), Thing.of("b", "5").withUid("ub"));
	}

	/** Answers one after the other, and then the last one for good. */
	private InformerFixture restarted(OnMismatch onMismatch, String... answers) {
		InformerFixture second = process("shape", true, onMismatch);
		Deque<String> left = new ConcurrentLinkedDeque<>(Arrays.asList(answers));
		second.source.identity = Mono.fromSupplier(() -> (left.size() > 1) ? left.removeFirst() : left.getFirst());
		return second;
	}

	private void awaitResumed(InformerFixture second) throws Exception {
		ScriptedSource.Stream watch = second.source.nextWatch();
		assertThat(second.watchVersions()).containsExactly("from 5");
		watch.deleted(Thing.of("a", "6").withUid("ua"));
		second.recorder.awaitChanges("-a@6");
		awaitStored("[b@5] {=6}");
		assertThat(this.store.setAside).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "uid:one url:https://one, url:https://one, uid:one url:https://one",
			"uid:one url:https://one, url:https://two, uid:one url:https://two",
			"uid:one, url:https://one, uid:one url:https://one" })
	void aRefusalThatPassesDecidesNothing(String stored, String refused, String answer) throws Exception {
		storedBy(stored);
		InformerFixture second = restarted(OnMismatch.FAIL, refused, refused, answer);
		// otherwise a pause of the machine may be as long as a refusal that stays
		second.hurried = false;
		second.start(InformerFixture.listing());
		await().until(() -> {
			second.time.advance(Duration.ofMillis(50));
			return second.source.hasOpenedWatch();
		});
		awaitResumed(second);
		assertThat(second.source.lists).isEmpty();
		assertThat(this.store.header().server()).isEqualTo(answer);
	}

	@ParameterizedTest
	@CsvSource({ "url:https://one, uid:one url:https://one", "url:https://one, url:https://one",
			"uid:one url:https://one, uid:one url:https://two", "uid:one, uid:one url:https://two" })
	void equalUidsOrUrlsAreTheSameServerAtOnce(String stored, String answer) throws Exception {
		storedBy(stored);
		InformerFixture second = restarted(OnMismatch.FAIL, answer);
		second.start(InformerFixture.listing());
		awaitResumed(second);
		assertThat(second.source.lists).isEmpty();
		assertThat(this.store.header().server()).isEqualTo(answer);
	}

	@Test
	void aRefusalThatStaysIsWaitedForSomeSecondsAndTheUidIsKept() throws Exception {
		storedBy("uid:one url:https://one");
		InformerFixture second = restarted(OnMismatch.FAIL, FORBIDDEN);
		second.hurried = false;
		second.start(InformerFixture.listing());
		await().until(() -> second.mirror().size() == 2);
		assertThat(second.source.hasOpenedWatch()).isFalse();
		await().until(() -> {
			second.time.advance(Duration.ofSeconds(5));
			return second.source.hasOpenedWatch();
		});
		awaitResumed(second);
		assertThat(this.store.header().server()).isEqualTo("uid:one url:https://one");
	}

	@ParameterizedTest
	@CsvSource({ "url:https://one, uid:two url:https://two", "url:https://one, url:https://two",
			"uid:one url:https://one, url:https://two", "uid:one, url:https://two" })
	void whereUidAndUrlDoNotDecideAStoredObjectOnTheServerShowsThatItIsTheSame(String stored, String answer)
			throws Exception {
		storedBy(stored);
		InformerFixture second = restarted(OnMismatch.FAIL, answer);
		boolean forbidden = answer.contains("uid:");
		if (forbidden) {
			second.source.failList(ScriptedSource.status(403, "Forbidden"));
		}
		second.source.answerPage("8", "more", Thing.of("z", "7").withUid("uz"))
			.answer("8", Thing.of("b", "5").withUid("ub"));
		second.start(InformerFixture.listing());
		await().until(() -> {
			second.time.advance(Duration.ofSeconds(5));
			return second.source.hasOpenedWatch();
		});
		awaitResumed(second);
		assertThat(second.source.lists).extracting(ListOptions::continueToken)
			.containsExactlyElementsOf(forbidden ? List.of("", "", "more") : List.of("", "more"));
	}

	@Test
	void anObjectWithoutReadableMetadataDoesNotKeepTheListFromDeciding() throws Exception {
		storedBy("url:https://one");
		InformerFixture second = restarted(OnMismatch.FAIL, "url:https://two");
		second.source.answer("8", new Thing(null, "broken"), Thing.of("b", "5").withUid("ub"));
		second.start(InformerFixture.listing());
		awaitResumed(second);
		assertThat(second.source.lists).hasSize(1);
	}

	/** The list that is to decide has the limits of the mirror, and an end. */
	@ParameterizedTest
	@ValueSource(strings = { "more than 2 objects", "1000 pages in a row without an object that is new" })
	void aListThatNeverEndsDecidesNothing(String reason) throws Exception {
		storedBy("url:https://one");
		InformerFixture second = restarted(OnMismatch.FAIL, "url:https://two");
		boolean limit = reason.contains("objects");
		ReflectorOptions.Builder options = InformerFixture.listing();
		if (limit) {
			options = options.maxObjects(2);
			second.source.answerPage("8", "more", Thing.of("x", "7").withUid("ux"), Thing.of("y", "7").withUid("uy"),
					Thing.of("z", "7").withUid("uz"));
		}
		for (int page = 0; !limit && page <= 1000; page++) {
			second.source.answerPage("8", "token " + page, Thing.of("z", "7").withUid("uz"));
		}
		second.source.answer("8", Thing.of("b", "5").withUid("ub"));
		second.start(options);
		await().until(() -> {
			second.time.advance(Duration.ofSeconds(5));
			return second.source.hasOpenedWatch();
		});
		awaitResumed(second);
		assertThat(second.source.lists).hasSize(limit ? 2 : 1002);
		assertThat(second.source.lists.get(second.source.lists.size() - 1).continueToken()).as("of a new list")
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "url:https://one, uid:two url:https://two", "url:https://one, url:https://two" })
	void whereNoStoredObjectIsOnTheServerItIsAnotherOne(String stored, String answer) throws Exception {
		storedBy(stored);
		Thing other = Thing.of("a", "7").withUid("other");
		InformerFixture second = restarted(OnMismatch.RELIST, answer);
		second.source.answer("8", other).answer("8", other);
		second.start(InformerFixture.listing());
		await().until(() -> {
			second.time.advance(Duration.ofSeconds(5));
			return !second.recorder.changes.isEmpty();
		});
		second.recorder.awaitChanges("+a@7 initial");
		assertThat(this.store.setAside).singleElement()
			.asString()
			.contains(stored, answer, "none of the stored objects");
		awaitStored("[a@7] {=8}");
	}

	@Test
	void anotherServerKeepsTheReflectorFromStartingIfThatIsWanted() throws Exception {
		storedBy("url:https://one");
		InformerFixture second = restarted(OnMismatch.FAIL, "uid:two url:https://two");
		second.source.answer("8");
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.state() == ReflectorState.STOPPED);
		assertThat(this.store.stored()).isEqualTo("[a@3, b@5] {=5}");
		assertThat(List.of(second.informer.durability().lastError().message())).singleElement()
			.asString()
			.contains("https://one", "uid:two");
	}

	@Test
	void theUidIsStoredWhenTheServerTellsItLater() throws Exception {
		this.server = FORBIDDEN;
		InformerFixture first = process();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		assertThat(this.store.header().server()).isEqualTo(FORBIDDEN);
		// else it would look as if the commit had taken two seconds, and the next one
		// would wait for longer
		await().until(() -> first.commits.get() > 0);
		this.server = "uid:one url:https://one";
		first.time.advance(Duration.ofSeconds(2));
		watch.modified(Thing.of("a", "6"));
		awaitStored("[a@6] {=6}");
		assertThat(this.store.header().server()).isEqualTo("uid:one url:https://one");
	}

}
