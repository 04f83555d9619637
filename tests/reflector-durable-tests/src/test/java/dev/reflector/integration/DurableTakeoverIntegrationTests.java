package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications that share one store: one writes, the other follows, and takes over when
 * the first was killed or has ended.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class DurableTakeoverIntegrationTests extends DurableScenario {

	@Test
	void fromOneThatWasKilledInSqlite(CapturedOutput output) throws Exception {
		fromOneThatWasKilled(file().toString(), output);
	}

	@Test
	@LongFormOnly
	void fromOneThatWasKilledInPostgres(CapturedOutput output) throws Exception {
		fromOneThatWasKilled(PostgresServer.get().newDatabase(), output);
	}

	@Test
	@LongFormOnly
	void fromOneThatHasEndedInSqlite(CapturedOutput output) throws Exception {
		String place = file().toString();
		applicationHasRun(place);
		try (DurableProcess writer = DurableProcess.start(this.server.url(), place)) {
			fromOneThatEnds(place, output, () -> writer.events.size(), writer::end);
		}
		startsWithNothingToTell(place);
	}

	/** In PostgreSQL, a session holds the claim, in any process. */
	@Test
	@LongFormOnly
	void fromOneThatHasEndedInPostgres(CapturedOutput output) throws Exception {
		String place = PostgresServer.get().newDatabase();
		applicationHasRun(place);
		try (MirrorApplication writer = replica(place)) {
			fromOneThatEnds(place, output, () -> kinds(writer).size(), writer::close);
		}
		startsWithNothingToTell(place);
	}

	private void fromOneThatWasKilled(String place, CapturedOutput output) throws Exception {
		try (DurableProcess writer = DurableProcess.start(this.server.url(), place)) {
			awaitStored(place);
			try (MirrorApplication replica = replica(place)) {
				follows(replica, output, "d");
				awaitStored(place);
				await().until(() -> writer.events.size() == 4);
				writer.kill();
				takesOver(replica, place, "e", List.of("+d", "+e"));
			}
		}
		startsWithNothingToTell(place);
	}

	private void applicationHasRun(String place) {
		try (MirrorApplication before = replica(place)) {
			before.awaitEqualTo(this.widgets);
			awaitStored(before);
		}
	}

	private void fromOneThatEnds(String place, CapturedOutput output, Supplier<Integer> told, Ending writer)
			throws Exception {
		create("f");
		awaitStored(place);
		try (MirrorApplication replica = replica(place)) {
			follows(replica, output, "g");
			// the replica may receive the change first
			await().until(() -> told.get() == 2);
			writer.end();
			assertThat(told.get()).isEqualTo(2);
			takesOver(replica, place, "h", List.of("+g", "+h"));
		}
	}

	private void startsWithNothingToTell(String place) {
		try (MirrorApplication last = replica(place)) {
			await().until(last.reflector::hasSynced);
			assertThat(kinds(last)).isEmpty();
			assertThat(last.reflector.durability().writing()).isTrue();
		}
	}

	private MirrorApplication replica(String place) {
		// event loops of Reactor Netty are shared by all contexts of a process
		return place.startsWith("jdbc:") ? applicationWith(place, "spring.http.clients.reactive.connector=jdk")
				: application();
	}

	/**
	 * Checks that the replica has the stored objects, receives new ones, and writes
	 * nothing.
	 */
	private void follows(MirrorApplication replica, CapturedOutput output, String name) {
		await().until(replica.reflector::hasSynced);
		assertThat(output).contains("Reflector 'widgets': another process writes its snapshot in ");
		assertThat(replica.reflector.durability().restored()).isEqualTo(this.widgets.size());
		create(name);
		await().until(() -> kinds(replica).equals(List.of("+" + name)));
		assertThat(replica.mirror()).isEqualTo(MirrorApplication.contentOf(this.widgets));
		assertThat(replica.reflector.durability().writing()).isFalse();
		assertThat(replica.reflector.durability().commitTook()).isNull();
	}

	private void takesOver(MirrorApplication replica, String place, String name, List<String> heard) {
		create(name);
		awaitStored(place);
		await().until(() -> kinds(replica).equals(heard));
		await().until(
				() -> replica.reflector.durability().writing() && replica.reflector.durability().commitTook() != null);
	}

	/** Waits until the store equals the server. Each attempt opens the store. */
	private void awaitStored(String place) {
		await().pollInterval(Duration.ofMillis(100))
			.untilAsserted(() -> assertThat(StoredMirror.read(place, false).objects())
				.isEqualTo(MirrorApplication.contentOf(this.widgets)));
	}

	/** The regular end of a writer. */
	@FunctionalInterface
	private interface Ending {

		void end() throws Exception;

	}

}
