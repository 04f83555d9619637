package dev.reflector.cache.informer;

import java.util.List;

import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.ListPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests two applications that use the same snapshot: the second one delivers nothing
 * before the first is gone.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurableApplicationTests extends DurableProcesses {

	private static final String WARNING = "Reflector 'things': its snapshot in the memory of the test is "
			+ "written by the application 'shop', and this is the application 'billing'. Nothing is delivered "
			+ "here until the other one ends. If both applications should run, "
			+ "give one of them its own snapshot: set 'reflector.resources.things.snapshot-name', or for all its "
			+ "reflectors 'reflector.snapshot.jdbc.table-prefix' or 'reflector.snapshot.jdbc.file'";

	@Test
	void anotherApplicationDeliversNothingUntilTheFirstIsGone(CapturedOutput output) throws Exception {
		InformerFixture shop = process("shop");
		givenStored(shop, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		InformerFixture billing = process("billing");
		ScriptedSource.Stream watch = begin(billing, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		watch.added(Thing.of("c", "6")).deleted(Thing.of("a", "7"));
		billing.awaitMirror("b@4", "c@6");
		await().until(() -> "shop".equals(billing.informer.durability().heldBy()));
		assertThat(billing.informer.durability().writing()).isFalse();
		assertThat(billing.informer.isStandby()).isTrue();
		await().untilAsserted(() -> assertThat(output).contains(WARNING));
		assertThat(billing.recorder.changes).isEmpty();
		assertThat(shop.informer.durability()).extracting(Durability::writing, Durability::heldBy)
			.containsExactly(true, null);
		shop.stop();
		shop.informer.close();
		billing.recorder.awaitChanges("-a@3 unseen", "+c@6");
		awaitStored("[b@4, c@6] {=7}");
		assertThat(billing.informer.durability()).extracting(Durability::writing, Durability::heldBy)
			.containsExactly(true, null);
		assertThat(billing.informer.isStandby()).isFalse();
		assertThat(output).contains("Reflector 'things': its snapshot in the memory of the test was written by the "
				+ "application 'shop'. The application 'billing' continues from it, as if the application "
				+ "had been renamed");
	}

	/**
	 * As if the session that holds the claim had ended: the next commit notices that.
	 * Changes that the other application completes are not delivered here.
	 */
	@Test
	void anApplicationThatLosesItsSnapshotToAnotherStopsDelivering() throws Exception {
		InformerFixture shop = process("shop");
		ScriptedSource.Stream watch = begin(shop, "5", Thing.of("a", "3"));
		awaitStored("[a@3] {=5}");
		this.store.release();
		InformerFixture billing = process("billing");
		billing.start(InformerFixture.listing());
		billing.source.nextWatch().added(Thing.of("b", "7"));
		awaitStored("[a@3, b@7] {=7}");
		watch.bookmark("6");
		await().until(() -> "billing".equals(shop.informer.durability().heldBy()));
		await().until(shop.informer::isStandby);
		watch.added(Thing.of("b", "7")).added(Thing.of("c", "8"));
		shop.awaitMirror("a@3", "b@7", "c@8");
		assertThat(shop.recorder.changes).containsExactly("+a@3 initial");
		billing.stop();
		billing.informer.close();
		shop.recorder.awaitChanges("+a@3 initial", "+c@8");
		awaitStored("[a@3, b@7, c@8] {=8}");
		assertThat(shop.informer.durability()).extracting(Durability::writing, Durability::heldBy)
			.containsExactly(true, null);
	}

	/**
	 * The second replica waits for the claim. That it cannot store changes is no failure.
	 */
	@Test
	void aReplicaThatIsNotTheWriterHasNoFailure(CapturedOutput output) throws Exception {
		InformerFixture first = process("shop");
		givenStored(first, "5", Thing.of("a", "3"));
		InformerFixture second = process("shop");
		second.start(InformerFixture.listing());
		second.source.nextWatch().added(Thing.of("b", "6"));
		second.recorder.awaitChanges("+b@6");
		first.stop();
		first.informer.close();
		awaitStored("[a@3, b@6] {=6}");
		assertThat(output).doesNotContain("its snapshot cannot be written");
	}

	/** No object was stored by the first when the second began. */
	@Test
	void anApplicationThatBeginsBeforeTheFirstHasListedDeliversNothing() throws Exception {
		InformerFixture shop = process("shop");
		Sinks.One<ListPage<Thing>> list = Sinks.one();
		shop.source.answerWith((options) -> list.asMono());
		shop.start(InformerFixture.listing());
		await().until(() -> !shop.source.lists.isEmpty());
		InformerFixture billing = process("billing");
		ScriptedSource.Stream watch = begin(billing, "5", Thing.of("a", "3"));
		billing.awaitMirror("a@3");
		assertThat(billing.informer.durability().heldBy()).isEqualTo("shop");
		list.tryEmitValue(new ListPage<>(List.of(Thing.of("a", "3")), "5", "", List.of())).orThrow();
		awaitStored("[a@3] {=5}");
		watch.added(Thing.of("b", "6"));
		billing.awaitMirror("a@3", "b@6");
		assertThat(billing.recorder.changes).isEmpty();
		shop.stop();
		shop.informer.close();
		billing.recorder.awaitChanges("+b@6");
	}

	/**
	 * The first process ended before it had listed, and the next one may use another
	 * server.
	 */
	@Test
	void anApplicationThatHasStoredNoMoreThanItsNameBeginsWithNothing() throws Exception {
		InformerFixture shop = process("shop");
		shop.source.answerWith((options) -> Mono.never());
		shop.start(InformerFixture.listing());
		await().until(() -> !shop.source.lists.isEmpty());
		shop.stop();
		shop.informer.close();
		assertThat(this.store.header().application()).isEqualTo("shop");
		this.server = "uid:two";
		InformerFixture next = process("shop");
		begin(next, "5", Thing.of("a", "3"));
		next.recorder.awaitChanges("+a@3 initial");
		awaitStored("[a@3] {=5}");
		assertThat(this.store.setAside).isEmpty();
	}

	@Test
	void aRenamedApplicationGoesOnFromItsSnapshot(CapturedOutput output) throws Exception {
		InformerFixture shop = process("shop");
		givenStored(shop, "5", Thing.of("a", "3"));
		shop.stop();
		shop.informer.close();
		InformerFixture renamed = process("store");
		renamed.start(InformerFixture.listing());
		renamed.source.nextWatch().deleted(Thing.of("a", "6"));
		renamed.recorder.awaitChanges("-a@6");
		awaitStored("[] {=6}");
		assertThat(this.store.header().application()).isEqualTo("store");
		assertThat(output).contains("was written by the application 'shop'");
	}

	@Test
	void anApplicationWithoutANameIsTakenForAReplica() throws Exception {
		for (String[] names : new String[][] { { "", "billing" }, { "shop", "" }, { "", "" }, { "shop", "shop" } }) {
			InformerFixture first = process(names[0]);
			begin(first, "5", Thing.of("a", "3"));
			awaitStored("[a@3] {=5}");
			InformerFixture second = process(names[1]);
			second.start(InformerFixture.listing());
			second.source.nextWatch().added(Thing.of("b", "6"));
			second.recorder.awaitChanges("+b@6");
			assertThat(second.informer.durability().heldBy()).isNull();
			first.stop();
			first.informer.close();
			second.stop();
			second.informer.close();
			this.store.forget();
		}
	}

	@Test
	void aLeaderOfAnotherApplicationWaitsToo() throws Exception {
		InformerFixture shop = process("shop");
		givenStored(shop, "5", Thing.of("a", "3"));
		InformerFixture billing = process("billing");
		billing.leads = () -> true;
		ScriptedSource.Stream watch = begin(billing, "5", Thing.of("a", "3"));
		billing.takeOver();
		watch.added(Thing.of("b", "6"));
		await().until(() -> "shop".equals(billing.informer.durability().heldBy()));
		billing.awaitMirror("a@3", "b@6");
		assertThat(billing.recorder.changes).isEmpty();
		shop.stop();
		shop.informer.close();
		billing.recorder.awaitChanges("+b@6");
		assertThat(billing.informer.durability().heldBy()).isNull();
	}

}
