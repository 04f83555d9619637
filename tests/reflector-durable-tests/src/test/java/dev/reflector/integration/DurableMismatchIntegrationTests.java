package dev.reflector.integration;

import java.util.Map;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Snapshots of another cluster, or of something else than the application mirrors now.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class DurableMismatchIntegrationTests extends DurableScenario {

	private static final String FAIL = "reflector.snapshot.on-mismatch=fail";

	private static final String WHAT_TO_DO = ". Go back to what it was written with, or reset the snapshot and start "
			+ "again, or set 'reflector.snapshot.on-mismatch' to 'relist'";

	/** A server whose namespace kube-system can be read. */
	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("v1", "Namespace", "namespaces", false)
			.type("example.com/v1", "Widget", "widgets", true)
			.start();
	}

	@BeforeEach
	void createSystemNamespace() {
		this.server.resources("namespaces").create(Map.of("metadata", Map.of("name", "kube-system")));
	}

	private void becomeAnotherCluster() {
		this.server.restore(this.empty);
		createSystemNamespace();
		create("z");
		this.server.clearRequests();
	}

	private void assertThatNothingWasRequested() {
		assertThat(this.server.requests((request) -> request.isAbout("widgets"))).isEmpty();
	}

	private static void awaitStopped(Reflector<?> reflector) {
		await().until(() -> reflector.state() == ReflectorState.STOPPED && reflector.durability().lastError() != null);
	}

	@Test
	void theSnapshotOfAnotherClusterIsSetAsideAndEverythingToldAsAdded(CapturedOutput output) {
		mirrorOnce();
		becomeAnotherCluster();
		try (MirrorApplication application = application()) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+z initial"));
			assertThat(application.mirror()).isEqualTo(MirrorApplication.contentOf(this.widgets));
		}
		assertThat(output).containsPattern("its snapshot in .* cannot be used: it was taken from the server uid:.*, "
				+ "and the current server is " + "uid:.* url:.*; it is set aside as 'widgets \\(set aside\\)' in ");
		try (MirrorApplication application = application()) {
			await().until(application.reflector::hasSynced);
			assertThat(kinds(application)).isEmpty();
		}
	}

	@Test
	void aClusterWithAnotherUrlIsKnownByItsNamespace() {
		mirrorOnce();
		this.server.stop();
		try (EmbeddedApiServer moved = newServer()) {
			moved.restore(this.server.backup());
			moved.resources("widgets").delete("default", "b");
			try (MirrorApplication application = MirrorApplication.on(moved, properties(file()))) {
				await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("-b"));
			}
		}
	}

	/** A server does that for a moment after its own restart. */
	@Test
	@LongFormOnly
	void aServerThatRefusesTheNamespaceForAMomentIsTheSame() {
		mirrorOnce();
		this.widgets.delete("default", "a");
		this.server.fail((request) -> request.isAbout("namespaces"), 2, Fault.status(403));
		try (MirrorApplication application = application(FAIL)) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("-a"));
		}
	}

	@Test
	void withFailAnotherClusterKeepsItFromStartingUntilTheSnapshotIsReset(CapturedOutput output) {
		mirrorOnce();
		becomeAnotherCluster();
		try (MirrorApplication application = application(FAIL)) {
			awaitStopped(application.reflector);
			assertThat(application.mirror()).isEmpty();
			assertThat(kinds(application)).isEmpty();
			assertThatNothingWasRequested();
			assertThat(output)
				.containsPattern("Reflector 'widgets' does not start: The snapshot of reflector 'widgets' "
						+ "in .* is not used: it was taken from the server uid:.*, "
						+ "and the current server is uid:[-0-9a-f]* url:[^ ]*" + WHAT_TO_DO);
			// the same again
			application.context.stop();
			application.context.start();
			awaitStopped(application.reflector);
			assertThatNothingWasRequested();
			application.context.stop();
			((SharedInformer<?>) application.reflector).resetSnapshot();
			application.context.start();
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+z initial"));
		}
	}

	@Test
	@LongFormOnly
	void withFailAnotherSelectorLeadsToAListAllTheSame() {
		mirrorOnce();
		try (MirrorApplication application = application(FAIL, "reflector.resources.widgets.label-selector=app=web")) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("-a", "-b", "-c"));
		}
	}

	@Test
	@LongFormOnly
	void withFailAStrictApplicationDoesNotStartAndSaysWhy() {
		mirrorOnce();
		becomeAnotherCluster();
		assertThatException()
			.isThrownBy(() -> application(FAIL, "reflector.startup.wait-for-sync=true", "reflector.startup.strict=true",
					"reflector.startup.timeout=10s"))
			.havingRootCause()
			.withMessageContaining("it was taken from the server uid:")
			.withMessageContaining(WHAT_TO_DO);
	}

}
