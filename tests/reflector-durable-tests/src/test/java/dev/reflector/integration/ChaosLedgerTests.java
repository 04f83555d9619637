package dev.reflector.integration;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ledger finds what it is there to find.
 */
class ChaosLedgerTests {

	private final ChaosLedger ledger = new ChaosLedger(100);

	private void owns(String process, long from, long epoch) {
		this.ledger.owns(process, from, from + 1, true, Map.of(3, epoch));
	}

	@Test
	void oneOwnerAfterTheOther() {
		owns("a", 0, 1);
		owns("a", 10, 1);
		this.ledger.owns("a", 12, 13, true, Map.of());
		owns("b", 20, 2);
		owns("b", 30, 2);
		this.ledger.called("a", 3, 1, 2, 8);
		this.ledger.called("b", 3, 2, 22, 25);
		assertThat(this.ledger.check()).isEmpty();
		assertThat(this.ledger.owners(Set.of("a", "b"), 0)).isEqualTo(Map.of(3, Set.of("b")));
		assertThat(this.ledger.owners(Set.of("a", "b"), 30)).isEmpty();
	}

	@Test
	void twoOwners() {
		owns("a", 0, 1);
		owns("b", 10, 2);
		owns("b", 20, 2);
		owns("a", 30, 1);
		assertThat(this.ledger.check()).singleElement().asString().startsWith("two owners: a with slot 3 in epoch 1");
		assertThat(this.ledger.check()).as("what is known").isEmpty();
	}

	@Test
	void anEpochThatDoesNotGrow() {
		owns("a", 0, 2);
		owns("b", 10, 1);
		assertThat(this.ledger.check()).singleElement().asString().startsWith("the epoch does not grow");
	}

	@Test
	void anEpochOfTwo() {
		owns("a", 0, 2);
		this.ledger.acquired("b", 3, 2);
		assertThat(this.ledger.check()).containsExactly("slot 3 in epoch 2 is that of a and of b");
	}

	@Test
	void aCallThatIsOvertakenThoughItsTermWasHandedOver() {
		this.ledger.called("a", 3, 1, 0, 500);
		this.ledger.released("a", 3, 1, true);
		this.ledger.called("b", 3, 2, 400, 450);
		assertThat(this.ledger.check()).singleElement().asString().endsWith("and was not lost");
	}

	@Test
	void aCallThatIsOvertakenAfterALapse() {
		this.ledger.called("a", 3, 1, 0, 500);
		this.ledger.released("a", 3, 1, false);
		this.ledger.called("b", 3, 2, 400, 450);
		assertThat(this.ledger.check()).isEmpty();
		this.ledger.called("a", 3, 1, 1, 600);
		assertThat(this.ledger.check()).singleElement().asString().endsWith("as was another of the term");
	}

	@Test
	void aCallThatBeginsTooLate() {
		this.ledger.called("a", 3, 1, 350, 500);
		this.ledger.released("a", 3, 1, false);
		this.ledger.called("b", 3, 2, 400, 450);
		assertThat(this.ledger.check()).singleElement().asString().contains("has begun too late");
		this.ledger.paused("a", 360, 490);
		assertThat(this.ledger.check()).isEmpty();
	}

}
