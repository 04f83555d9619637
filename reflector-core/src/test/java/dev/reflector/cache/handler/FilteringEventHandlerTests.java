package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for handlers behind a filter.
 */
@Timeout(60)
class FilteringEventHandlerTests {

	private final Recorder recorder = new Recorder();

	private final ResourceEventHandler<Thing> filtered = ResourceEventHandler
		.filtered((thing) -> thing.payload().equals("in"), this.recorder);

	private static Thing in(String version) {
		return Thing.of("default", "a", version, "in");
	}

	private static Thing out(String version) {
		return Thing.of("default", "a", version, "out");
	}

	private void tell(Change.Type type, Thing object, Thing previous, boolean initial) {
		this.filtered.onChange(new Change<>(type, ResourceKey.of("default", "a"), object, previous, object.version(),
				initial, false, Change.Cause.WATCH));
	}

	@Test
	void c233_c234_additionsThatPassKeepTheirFlag() {
		tell(Change.Type.ADDED, in("1"), null, true);
		tell(Change.Type.ADDED, in("2"), null, false);
		tell(Change.Type.ADDED, out("3"), null, true);
		await().untilAsserted(() -> assertThat(this.recorder.changes).containsExactly("+a@1 initial", "+a@2"));
	}

	@Test
	void c235_onlyDeletionsOfObjectsThatPassedAreDelivered() {
		tell(Change.Type.DELETED, in("1"), null, false);
		tell(Change.Type.DELETED, out("2"), null, false);
		tell(Change.Type.DELETED, out("4"), in("3"), false);
		tell(Change.Type.DELETED, in("6"), out("5"), false);
		await().untilAsserted(() -> assertThat(this.recorder.changes).containsExactly("-a@1", "-a@4"));
	}

	@Test
	void theDeletionOfAnObjectOfUnknownContentIsDelivered() {
		this.filtered
			.onChange(Change.ofUnknownContent(ResourceKey.of("default", "a"), "u1", "3", Change.Cause.RECOVERED));
		await().untilAsserted(() -> assertThat(this.recorder.changes).containsExactly("-a@3 unknown"));
	}

	@Test
	void c236_anUpdateWithinTheFilterStaysAnUpdate() {
		tell(Change.Type.UPDATED, in("2"), in("1"), false);
		await().untilAsserted(() -> assertThat(this.recorder.changes).containsExactly("~a@1>a@2"));
	}

	@Test
	void c237_anUpdateIntoTheFilterIsAnAdditionThatIsNotInitial() {
		this.recorder.hook = (change) -> assertThat(change.previous()).isNull();
		tell(Change.Type.UPDATED, in("2"), out("1"), false);
		await().untilAsserted(() -> assertThat(this.recorder.changes).containsExactly("+a@2"));
	}

	@Test
	void c238_anUpdateOutOfTheFilterIsADeletionOfThePreviousObject() {
		this.recorder.hook = (change) -> {
			assertThat(change.resourceVersion()).isEqualTo("2");
			assertThat(change.object()).isSameAs(change.previous());
		};
		tell(Change.Type.UPDATED, out("2"), in("1"), false);
		await().untilAsserted(() -> assertThat(this.recorder.changes).containsExactly("-a@1"));
	}

	/** Without the ownership, a handler that works later must not do the work. */
	@Test
	void aChangeThatBeginsOrCeasesToMatchKeepsItsOwnership() {
		Ownership ownership = new Ownership("me", 3, 7);
		List<Change<Thing>> received = new ArrayList<>();
		this.recorder.hook = received::add;
		ResourceKey key = ResourceKey.of("default", "a");
		this.filtered
			.onChange(new Change<>(Change.Type.UPDATED, key, in("2"), out("1"), "2", false, false, Change.Cause.WATCH)
				.by(ownership));
		this.filtered
			.onChange(new Change<>(Change.Type.UPDATED, key, out("3"), in("2"), "3", false, false, Change.Cause.WATCH)
				.by(ownership));
		assertThat(this.recorder.changes).containsExactly("+a@2", "-a@2");
		assertThat(received).extracting(Change::ownership).containsOnly(ownership);
	}

	@Test
	void c239_anUpdateOutsideTheFilterIsNotDelivered() {
		tell(Change.Type.UPDATED, out("2"), out("1"), false);
		assertThat(this.recorder.changes).isEmpty();
	}

	@Test
	void syncPassEndsAndStatesArePassedOn() throws Exception {
		TestInformer things = TestInformer.with(TestInformer.options());
		try {
			HandlerRegistration registration = things.informer.addEventHandler(this.filtered);
			ScriptedSource.Stream watch = things.startWith("3", in("3"));
			registration.synced().toCompletableFuture().get(30, TimeUnit.SECONDS);
			watch.error(410, "Expired");
			await().until(() -> this.recorder.passEnds.size() == 1);
			await().until(() -> this.recorder.states.size() > 1);
			assertThat(this.recorder.changes).containsExactly("+a@3 initial");
			assertThat(this.recorder.synced).containsExactly("3");
		}
		finally {
			things.close();
		}
	}

	/** Merging must not hide from the handler that an object it knows has gone. */
	@ParameterizedTest
	@CsvSource({ "1,ARRIVAL,3", "2,ARRIVAL,1000", "3,PER_KEY,3", "4,ARRIVAL,20" })
	void e09_mergedChangesAddUpToTheFilteredObjects(long seed, Ordering ordering, int capacity) throws Exception {
		TestInformer things = TestInformer.with(TestInformer.options(ordering, capacity));
		Semaphore permits = new Semaphore(0);
		Consumer<Change<Thing>> slowly = (change) -> permits.acquireUninterruptibly();
		this.recorder.hook = slowly;
		things.informer.addEventHandler(this.filtered);
		try {
			ScriptedSource.Stream watch = things.startWith("1");
			Random random = new Random(seed);
			TreeSet<String> present = new TreeSet<>();
			for (int version = 2; version < 2000; version++) {
				String name = "t" + random.nextInt(4);
				Thing thing = Thing.of("default", name, "" + version, random.nextBoolean() ? "in" : "out");
				if (present.add(name)) {
					watch.added(thing);
				}
				else if (random.nextInt(4) == 0) {
					present.remove(name);
					watch.deleted(thing);
				}
				else {
					watch.modified(thing);
				}
				permits.release((random.nextInt(10) == 0) ? 1 : 0);
			}
			permits.release(10_000);
			assertThat(things.informer.lister().awaitResourceVersion("1999", Duration.ofSeconds(30))).isTrue();
			List<String> expected = things.informer.lister()
				.list()
				.stream()
				.filter((thing) -> thing.payload().equals("in"))
				.map(Thing::toString)
				.sorted()
				.toList();
			await().untilAsserted(() -> {
				assertThat(things.informer.status().queueDepth()).isZero();
				assertThat(this.recorder.folded()).isEqualTo(expected);
			});
		}
		finally {
			permits.release(10_000);
			things.close();
		}
	}

}
