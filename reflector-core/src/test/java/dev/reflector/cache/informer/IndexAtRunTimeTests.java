package dev.reflector.cache.informer;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.store.Indexer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of indexes that are added while a {@link SharedInformer} runs.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class IndexAtRunTimeTests {

	private static final IndexFunction<Thing> WORDS = (thing) -> Arrays.asList(thing.payload().split(","));

	private final TestInformer things = TestInformer.with(TestInformer.options());

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private static Thing thing(String name, String version, String payload) {
		return Thing.of("default", name, version, payload);
	}

	private List<String> under(String index, String value) {
		return this.things.informer.lister().byIndex(index, value).stream().map(Thing::name).sorted().toList();
	}

	@Test
	void c195_c196_c197_anAddedIndexIsCompleteAtOnceAndFollowsChanges() throws Exception {
		this.things.informer.addIndexers(Map.of("words", WORDS));
		ScriptedSource.Stream watch = this.things.startWith("2", thing("p1", "1", "a,b"), thing("p2", "2", "b"));
		await().until(this.things.informer::hasSynced);
		assertThat(under("words", "a")).containsExactly("p1");
		watch.added(thing("p3", "3", "a"));
		await().until(() -> under("words", "a").equals(List.of("p1", "p3")));
		this.things.informer.addIndexers(Map.of("words-again", WORDS));
		assertThat(under("words-again", "a")).containsExactly("p1", "p3");
		assertThat(under("words-again", "b")).containsExactly("p1", "p2");
		for (String index : List.of("words", "words-again")) {
			assertThat(this.things.informer.lister().indexValues(index)).containsExactlyInAnyOrder("a", "b");
			assertThat(this.things.informer.lister().byIndexOf(index, thing("any", "", "a"))).extracting(Thing::name)
				.containsExactlyInAnyOrder("p1", "p3");
		}
		assertThat(((Indexer<Thing>) this.things.informer.lister()).resourceVersion()).isEqualTo("3");
		watch.modified(thing("p1", "4", "c")).deleted(thing("p3", "5", "a"));
		await().until(() -> under("words", "a").isEmpty());
		assertThat(under("words-again", "a")).isEmpty();
		assertThat(under("words-again", "c")).containsExactly("p1");
	}

	@Test
	void c243_c245_aNameConflictAddsNoIndex() throws Exception {
		this.things.startWith("1", thing("p1", "1", "a"));
		await().until(this.things.informer::hasSynced);
		this.things.informer.addIndexers(Map.of("words", WORDS));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.things.informer.addIndexers(Map.of("other", WORDS, "words", WORDS)))
			.withMessageContaining("indexer conflict")
			.withMessageContaining("'words'");
		assertThatIllegalArgumentException().isThrownBy(() -> under("other", "a"))
			.withMessageStartingWith("There is no index 'other', only [");
		assertThat(under("words", "a")).containsExactly("p1");
	}

	/**
	 * client-go returns the error of the function to the caller. Here the index is added
	 * without the object on which the function fails.
	 */
	@Test
	void c245_aFunctionThatThrowsIsReportedWithItsErrorAndTheIndexIsUsable(CapturedOutput output) throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("2", thing("p1", "1", "a"), thing("p2", "2", "bad"));
		await().until(this.things.informer::hasSynced);
		long errors = this.things.informer.status().counts().errors();
		IndexFunction<Thing> payload = (thing) -> {
			if (thing.payload().equals("bad")) {
				throw new IllegalStateException("boom");
			}
			return List.of(thing.payload());
		};
		this.things.informer.addIndexers(Map.of("payload", payload));
		assertThat(under("payload", "a")).containsExactly("p1");
		assertThat(this.things.informer.lister().indexValues("payload")).containsExactly("a");
		assertThat(this.things.informer.status().counts().errors()).isEqualTo(errors + 1);
		assertThat(output).contains("Index function 'payload' failed on default/p2")
			.contains("it threw java.lang.IllegalStateException at dev.reflector.cache.informer.IndexAtRunTimeTests")
			.doesNotContain("boom");
		assertThatIllegalStateException()
			.isThrownBy(() -> this.things.informer.lister().byIndexOf("payload", thing("any", "", "bad")))
			.withMessage("boom");
		watch.modified(thing("p2", "3", "a"));
		await().until(() -> under("payload", "a").equals(List.of("p1", "p2")));
	}

	@Test
	void c245_anIndexIsRefusedAfterClose() throws Exception {
		this.things.startWith("1", thing("p1", "1", "a"));
		await().until(this.things.informer::hasSynced);
		this.things.informer.close();
		assertThatIllegalStateException().isThrownBy(() -> this.things.informer.addIndexers(Map.of("words", WORDS)))
			.withMessageContaining("is closed");
		assertThatIllegalArgumentException().isThrownBy(() -> under("words", "a"));
	}

	@Test
	void e12_anObjectOnWhichTheFunctionFailsIsOnlyMissingInItsIndex() throws Exception {
		this.things.startWith("2", thing("p1", "1", "a"), thing("p2", "2", "bad"));
		await().until(this.things.informer::hasSynced);
		this.things.informer.addIndexers(Map.of("words", (thing) -> {
			if (thing.payload().equals("bad")) {
				throw new IllegalStateException("broken index function");
			}
			return List.of(thing.payload());
		}));
		assertThat(under("words", "a")).containsExactly("p1");
		assertThat(this.things.informer.status().counts().errors()).isOne();
	}

	@Test
	void i02_indexesCanBeAddedWhileStoppedButNotAfterClose() throws Exception {
		this.things.startWith("1", thing("p1", "1", "a"));
		await().until(this.things.informer::hasSynced);
		this.things.stop();
		this.things.informer.addIndexers(Map.of("words", WORDS));
		assertThat(under("words", "a")).as("while stopped").containsExactly("p1");
		this.things.informer.close();
		assertThatIllegalStateException().isThrownBy(() -> this.things.informer.addIndexers(Map.of("late", WORDS)))
			.withMessageContaining("is closed");
	}

	/** S-13: index and objects are of one snapshot, also while indexes are added. */
	@Test
	void s34_readersNeverSeeHalfAnIndex() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("1", thing("p0", "1", "a"));
		await().until(this.things.informer::hasSynced);
		AtomicBoolean done = new AtomicBoolean();
		AtomicInteger indexes = new AtomicInteger();
		AtomicInteger wrong = new AtomicInteger();
		CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
			while (!done.get()) {
				// an index that was added has all objects that the mirror had before the
				// look-up
				int index = indexes.get();
				int size = this.things.informer.lister().size();
				if (index > 0 && under("words-" + index, "a").size() < size) {
					wrong.incrementAndGet();
				}
			}
		});
		for (int i = 1; i <= 50; i++) {
			for (int k = 0; k < 20; k++) {
				int version = i * 20 + k;
				watch.added(thing("p" + version, "" + version, "a"));
			}
			this.things.informer.addIndexers(Map.of("words-" + i, WORDS));
			indexes.set(i);
		}
		await().until(() -> this.things.informer.lister().size() == 1001);
		done.set(true);
		reading.get(30, TimeUnit.SECONDS);
		assertThat(wrong).hasValue(0);
		for (int i = 1; i <= 50; i++) {
			assertThat(under("words-" + i, "a")).hasSize(1001);
		}
	}

}
