package dev.reflector.write;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.write.WriteReport.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what a writer does with a mirror: it waits for it, leaves out what would
 * change nothing, and takes versions from it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MirroredWriteTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final WriterStage stage = new WriterStage();

	private final ResourceWriter writer = this.stage.writer;

	@AfterEach
	void close() {
		this.stage.close();
	}

	private void pauseMirror() {
		this.stage.mirror.pause();
	}

	@Test
	void waitsUntilTheMirrorShowsTheWrite() throws Exception {
		Website site = this.stage.created("a");
		pauseMirror();
		Written<SiteSettings> written = this.writer.apply(SiteSettings.of(site, null, 7));
		assertThat(written.awaitMirrored(Duration.ZERO)).isFalse();
		assertThat(written.awaitMirrored(Duration.ofMillis(1))).isFalse();
		CompletableFuture<Boolean> shown = CompletableFuture.supplyAsync(() -> awaited(written));
		this.stage.mirror.resume();
		assertThat(shown.get()).isTrue();
		assertThat(this.stage.mirror.lister().get("default", "a").spec().replicas()).isEqualTo(7);
		assertThat(written.awaitMirrored(Duration.ZERO)).isTrue();
	}

	private static boolean awaited(Written<?> written) {
		try {
			return written.awaitMirrored(PATIENCE);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aVersionWithoutOrderIsOnlyShownByAMirrorThatHasReceivedIt() throws Exception {
		Website site = this.stage.created("a");
		answer("{\"metadata\": {\"uid\": \"" + site.metadata().uid() + "\", \"resourceVersion\": \"3f-a\"}}");
		Written<SiteSettings> written = this.writer.apply(SiteSettings.of(site, null, 7));
		this.stage.sites.mergePatch("default", "a", "{\"spec\": {\"replicas\": 7}}");
		this.stage.awaitMirror();
		assertThat(written.awaitMirrored(Duration.ofMillis(1))).isFalse();
	}

	@Test
	void withoutAVersionThereIsNothingToAskAMirrorFor() {
		Website site = this.stage.created("a");
		answer("{\"metadata\": {}}");
		Written<SiteSettings> written = this.writer.apply(SiteSettings.of(site, null, 7));
		assertThat(written.resourceVersion()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> written.awaitMirrored(PATIENCE))
			.withMessageContaining("has not named the version of 'default/a'");
	}

	private void answer(String body) {
		this.stage.server.fail(WriterStage.WRITES, 1, Fault.response(200, "application/json", body));
	}

	@Test
	void waitsUntilTheMirrorNoLongerHasTheUid() throws Exception {
		Website site = this.stage.created("a");
		pauseMirror();
		Written<Website> deleted = this.writer.delete(site);
		this.stage.sites.create("{\"metadata\": {\"name\": \"a\"}}");
		assertThat(deleted.awaitMirrored(Duration.ofMillis(1))).isFalse();
		this.stage.mirror.resume();
		assertThat(deleted.awaitMirrored(PATIENCE)).isTrue();
		assertThat(this.stage.mirrored("a")).extracting((other) -> other.metadata().uid())
			.isNotEqualTo(site.metadata().uid());
	}

	@Test
	void aMirrorThatHasNotGotTheObjectYetIsWaitedFor() throws Exception {
		this.stage.awaitMirror();
		pauseMirror();
		Written<SiteSettings> created = this.writer.create(SiteSettings.named("a", null, 1));
		Written<SiteSettings> deleted = this.writer.delete(SiteSettings.class, created.key(), created.uid());
		assertThat(deleted.awaitMirrored(Duration.ofMillis(1))).isFalse();
		this.stage.mirror.resume();
		assertThat(deleted.awaitMirrored(PATIENCE)).isTrue();
		assertThat(created.awaitMirrored(PATIENCE)).isTrue();
	}

	@Test
	void aFinalizerKeepsTheObjectInTheMirror() throws Exception {
		this.stage.sites.create("{\"metadata\": {\"name\": \"a\", \"finalizers\": [\"example.com/x\"]}}");
		Website site = this.stage.mirrored("a");
		Written<Website> deleted = this.writer.delete(site);
		this.stage.awaitMirror();
		assertThat(deleted.awaitMirrored(Duration.ofMillis(1))).isFalse();
		this.stage.sites.mergePatch("default", "a", "{\"metadata\": {\"finalizers\": null}}");
		assertThat(deleted.awaitMirrored(PATIENCE)).isTrue();
	}

	@Test
	void withoutMirrorThereIsNothingToWaitFor() {
		Website site = this.stage.created("a");
		Written<SiteSettings> written = this.stage.writerWithoutMirror().apply(SiteSettings.of(site, null, 1));
		assertThatIllegalStateException().isThrownBy(() -> written.awaitMirrored(PATIENCE))
			.withMessage(
					"there is no mirror of example.com/v1 Website in the namespace 'default' to wait for: declare a "
							+ "type of this kind with @ReflectedResource, or do not wait");
		assertThatIllegalStateException()
			.isThrownBy(() -> Mono.fromCallable(() -> written.awaitMirrored(PATIENCE))
				.subscribeOn(Schedulers.parallel())
				.block())
			.withMessageContaining("waiting for a mirror blocks");
	}

	@Test
	void aMirrorThatIsNotAwaitedStillSuppliesVersions() {
		Website site = this.stage.created("a");
		ResourceWriter writer = this.stage.writer((builder) -> builder.awaited((mirror) -> false));
		Written<SiteSettings> written = writer.apply(SiteSettings.of(site, null, 1));
		assertThatIllegalStateException().isThrownBy(() -> written.awaitMirrored(PATIENCE))
			.withMessageStartingWith("there is no mirror of example.com/v1 Website in the namespace 'default'");
		this.stage.awaitMirror();
		assertThat(writer.apply(SiteSettings.of(site, null, 1)).skipped()).isTrue();
	}

	@Test
	void theSameIsSentOnceAsLongAsNothingChanges() {
		Website site = this.stage.created("a");
		SiteSettings settings = SiteSettings.of(site, null, 3);
		Written<SiteSettings> first = this.writer.apply(settings);
		this.stage.awaitMirror();
		Written<SiteSettings> second = this.writer.apply(SiteSettings.of(site, null, 3));
		assertThat(second.skipped()).isTrue();
		assertThat(second.changed()).isFalse();
		assertThat(second.uid()).isEqualTo(first.uid());
		assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
		assertThat(awaited(second)).isTrue();
		assertThat(this.stage.writes()).hasSize(1);
		assertThat(this.stage.reports).extracting(WriteReport::outcome)
			.containsExactly(Outcome.CHANGED, Outcome.SKIPPED);
	}

	@Test
	void anyChangeOfTheObjectHasItSentAgain() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.sites.managedBy("other").mergePatch("default", "a", "{\"metadata\": {\"labels\": {\"x\": \"y\"}}}");
		this.stage.awaitMirror();
		Written<SiteSettings> again = this.writer.apply(SiteSettings.of(site, null, 3));
		assertThat(again.skipped()).isFalse();
		assertThat(again.changed()).isFalse();
		assertThat(this.writer.apply(SiteSettings.of(site, null, 3)).skipped()).isTrue();
		assertThat(this.stage.writes()).hasSize(2);
	}

	@Test
	void aMirrorThatLagsSkipsNothing() {
		Website site = this.stage.created("a");
		pauseMirror();
		this.writer.apply(SiteSettings.of(site, null, 3));
		Written<SiteSettings> again = this.writer.apply(SiteSettings.of(site, null, 3));
		assertThat(again.skipped()).isFalse();
		assertThat(again.changed()).isFalse();
	}

	@Test
	void aVersionThatIsKnownBeforeTheMirrorHasItSkipsNothing() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.awaitMirror();
		pauseMirror();
		ApplyOptions force = ApplyOptions.defaults().withForce();
		this.writer.apply(SiteSettings.of(site, null, 4), force.withManager("other"));
		assertThat(this.writer.apply(SiteSettings.of(site, null, 3), force).skipped()).isFalse();
		assertThat(this.stage.stored("a").at("/spec/replicas").asInt()).isEqualTo(3);
	}

	@Test
	void afterALostAnswerToAnApplyByNameTheSameIsSentAgain() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.awaitMirror();
		pauseMirror();
		this.stage.server.fail(WriterStage.WRITES, 1, Fault.truncate(0));
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("a", null, 5)));
		assertThat(this.stage.stored("a").at("/spec/replicas").asInt()).isEqualTo(5);
		assertThat(this.writer.apply(SiteSettings.of(site, null, 3)).skipped()).isFalse();
		assertThat(this.stage.stored("a").at("/spec/replicas").asInt()).isEqualTo(3);
	}

	@Test
	void theFirstApplyOfAProcessIsSentSoThatARemovedFieldIsGivenUp() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.awaitMirror();
		// the same manager, in the next release of the application
		ResourceWriter next = this.stage.writer((builder) -> builder);
		next.apply(new NextSettings(AppliedMeta.of(site.metadata())));
		assertThat(this.stage.stored("a").path("spec").has("replicas")).isFalse();
	}

	@Test
	void anotherBodyOrManagerIsSent() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.awaitMirror();
		assertThat(this.writer.apply(SiteSettings.of(site, null, 4)).skipped()).isFalse();
		this.stage.awaitMirror();
		assertThat(
				this.writer.apply(SiteSettings.of(site, null, 4), ApplyOptions.defaults().withManager("x")).skipped())
			.isFalse();
		this.stage.awaitMirror();
		assertThat(this.writer.apply(SiteSettings.of(site, null, 3), ApplyOptions.defaults().withForce()).skipped())
			.isFalse();
	}

	@Test
	void anObjectOfAnotherUidIsSentToAgain() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.sites.delete("default", "a");
		Website other = this.stage.created("a");
		assertThat(this.writer.apply(SiteSettings.of(other, null, 3)).skipped()).isFalse();
	}

	@Test
	void aStatusThatIsTheSameIsSkipped() {
		Website site = this.stage.created("a");
		AppliedMeta metadata = AppliedMeta.of(site.metadata());
		this.writer.status(metadata, new SiteStatus("Ready", 1L));
		this.stage.awaitMirror();
		assertThat(this.writer.status(metadata, new SiteStatus("Ready", 1L)).skipped()).isTrue();
		assertThat(this.writer.status(metadata, new SiteStatus("Ready", 2L)).skipped()).isFalse();
	}

	@Test
	void aStatusFollowsTheOwnWriteBeforeTheMirrorDoes() {
		Website site = this.stage.created("a");
		pauseMirror();
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		assertThat(this.stage.server.requests((request) -> request.path().contains("/websites/")))
			.extracting(RecordedRequest::method)
			.containsExactly("PATCH", "PATCH");
		assertThat(this.stage.stored("a").at("/status/phase").asString()).isEqualTo("Ready");
	}

	@Test
	void aStatusAsksTheServerWhenTheMirrorIsBehind() {
		Website site = this.stage.created("a");
		pauseMirror();
		this.stage.sites.mergePatch("default", "a", "{\"spec\": {\"replicas\": 5}}");
		this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		assertThat(this.stage.stored("a").at("/status/phase").asString()).isEqualTo("Ready");
		this.stage.sites.delete("default", "a");
		this.stage.sites.create("{\"metadata\": {\"name\": \"a\"}}");
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Late", 2L)))
			.withMessageContaining("another object has this name");
		assertThat(this.stage.stored("a").has("status")).isFalse();
	}

	@Test
	void aStatusDoesNotGoBackToAnOlderVersionOfTheMirror() {
		Website site = this.stage.created("a");
		pauseMirror();
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.sites.managedBy("other").mergePatch("default", "a", "{\"metadata\": {\"labels\": {\"x\": \"y\"}}}");
		this.stage.server.clearRequests();
		this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		assertThat(this.stage.server.requests((request) -> request.path().contains("/websites/")))
			.extracting(RecordedRequest::method)
			.containsExactly("PATCH", "GET", "PATCH");
	}

	@Test
	void aStatusTakesTheNewestVersionOfSeveralMirrors() {
		try (SharedInformer<Website> behind = this.stage.mirror("behind")) {
			behind.start();
			ResourceWriter with = this.stage.writer((builder) -> builder.mirror(Website.class, behind));
			Website site = this.stage.created("a");
			await().until(() -> behind.lister().get("default", "a") != null);
			behind.pause();
			this.stage.sites.mergePatch("default", "a", "{\"spec\": {\"replicas\": 5}}");
			this.stage.awaitMirror();
			this.stage.server.clearRequests();
			with.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
			assertThat(this.stage.server.requests((request) -> request.path().contains("/websites/")))
				.extracting(RecordedRequest::method)
				.containsExactly("PATCH");
		}
	}

	/** As a mirror of another server, or one that is disabled. */
	@Test
	void aStatusNeedsNoVersionOfAMirrorWithoutTheObject() {
		SharedInformer<Website> elsewhere = this.stage.mirror("elsewhere");
		ResourceWriter with = this.stage.writer((builder) -> builder.mirror(Website.class, elsewhere));
		Website site = this.stage.created("a");
		with.apply(SiteSettings.of(site, null, 3));
		this.stage.sites.managedBy("other").mergePatch("default", "a", "{\"metadata\": {\"labels\": {\"x\": \"y\"}}}");
		this.stage.awaitMirror();
		this.stage.server.clearRequests();
		with.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		assertThat(this.stage.writes()).hasSize(1);
	}

	@Test
	void anApplyWithoutUidThatChangesNothingSaysSo() {
		SiteSettings settings = SiteSettings.named("a", "shop.example.com", 3);
		assertThat(this.writer.apply(settings).changed()).isTrue();
		this.stage.awaitMirror();
		assertThat(this.writer.apply(settings).changed()).isFalse();
		ResourceWriter next = this.stage.writer((builder) -> builder);
		assertThat(next.apply(settings).changed()).as("the mirror has the version").isFalse();
		assertThat(this.stage.reports).extracting(WriteReport::outcome)
			.containsExactly(Outcome.CHANGED, Outcome.UNCHANGED, Outcome.UNCHANGED);
		ResourceWriter unmirrored = this.stage.writerWithoutMirror();
		assertThat(unmirrored.apply(settings).changed()).as("no version is known").isTrue();
		assertThat(unmirrored.apply(settings).changed()).as("an earlier response has the version").isFalse();
	}

	@Test
	void aWriterWithoutMirrorAsksForTheVersion() {
		Website site = this.stage.created("a");
		this.stage.writerWithoutMirror().status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		assertThat(this.stage.stored("a").at("/status/phase").asString()).isEqualTo("Ready");
	}

	/** The next release, which no longer declares any field. */
	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "shop/SiteSettings")
	record NextSettings(AppliedMeta metadata) {

	}

}
