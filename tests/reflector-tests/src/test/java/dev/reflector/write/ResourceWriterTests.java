package dev.reflector.write;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.reflector.test.assertj.ApiServerAssertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what the four methods of a writer do when all goes well.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResourceWriterTests {

	private final WriterStage stage = new WriterStage();

	private final ResourceWriter writer = this.stage.writer;

	@AfterEach
	void close() {
		this.stage.close();
	}

	@Test
	void anApplyChangesWhatItDeclaresAndNothingElse() {
		Website site = this.stage.created("a");
		Written<SiteSettings> written = this.writer.apply(SiteSettings.of(site, null, 3));
		JsonNode stored = this.stage.stored("a");
		assertThat(written.key()).isEqualTo(new ResourceKey("default", "a"));
		assertThat(written.type()).isEqualTo(SiteSettings.class);
		assertThat(written.uid()).isEqualTo(site.metadata().uid());
		assertThat(written.resourceVersion()).isEqualTo(stored.at("/metadata/resourceVersion").asString());
		assertThat(written.changed()).isTrue();
		assertThat(stored.at("/spec/host").asString()).isEqualTo("a.example.com");
		assertThat(stored.at("/spec/replicas").asInt()).isEqualTo(3);
		assertThatObject(stored).isManagedBy("shop/SiteSettings", "spec.replicas").isManagedBy("kubectl", "spec.host");
	}

	@Test
	void anApplyIsSentAsTheServerWantsIt() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		RecordedRequest request = this.stage.writes().get(0);
		assertThat(request.method()).isEqualTo("PATCH");
		assertThat(request.header("Content-Type")).isEqualTo("application/apply-patch+yaml");
		assertThat(request.parameters()).containsOnly(Map.entry("fieldManager", "shop/SiteSettings"),
				Map.entry("fieldValidation", "Strict"));
		assertThat(request.body()).isEqualTo(
				"""
						{"apiVersion":"example.com/v1","kind":"Website","metadata":{"name":"a","namespace":"default","uid":"%s"},\
						"spec":{"replicas":3}}"""
					.formatted(site.metadata().uid()));
	}

	@Test
	void timesAndDatesAreSentAsKubernetesHasThem() {
		this.stage.server.addType("example.org/v1", "Fair", "fairs", true);
		this.writer.apply(new Fair(AppliedMeta.named("default", "a"),
				new Fair.Spec(LocalDate.of(2026, 3, 1), Instant.parse("2026-02-01T10:00:00Z"))));
		assertThat(this.stage.writes()).singleElement()
			.extracting(RecordedRequest::body)
			.asString()
			.endsWith("\"spec\":{\"opens\":\"2026-03-01\",\"since\":\"2026-02-01T10:00:00Z\"}}");
	}

	@Test
	void nullIsNotSentAndEmptyIs() {
		SiteSettings empty = new SiteSettings(AppliedMeta.named("default", "a").withLabels(Map.of()),
				new SiteSettings.Spec(null, 0, List.of(), Map.of()));
		this.writer.apply(empty);
		assertThat(this.stage.writes()).singleElement().extracting(RecordedRequest::body).isEqualTo("""
				{"apiVersion":"example.com/v1","kind":"Website",\
				"metadata":{"labels":{},"name":"a","namespace":"default"},\
				"spec":{"aliases":[],"options":{},"replicas":0}}""");
	}

	@Test
	void whatIsLeftOutLaterIsRemoved() {
		this.writer.apply(SiteSettings.named("a", "shop.example.com", 3));
		Website site = this.stage.mirrored("a");
		assertThat(site.spec()).isEqualTo(new Website.Spec("shop.example.com", 3));
		this.writer.apply(SiteSettings.of(site, "shop.example.com", null));
		assertThat(this.stage.stored("a").path("spec").has("replicas")).isFalse();
	}

	@Test
	void anApplyWithoutUidCreates() throws InterruptedException {
		Written<SiteSettings> written = this.writer.apply(SiteSettings.named("a", "shop.example.com", 1));
		assertThat(written.uid()).isEqualTo(this.stage.stored("a").at("/metadata/uid").asString());
		assertThat(written.changed()).isTrue();
		assertThat(written.awaitMirrored(Duration.ofSeconds(20))).isTrue();
		assertThat(this.stage.mirror.lister().get("default", "a").spec().host()).isEqualTo("shop.example.com");
	}

	@Test
	void metadataIsOwned() {
		Website owner = this.stage.created("owner");
		AppliedMeta metadata = AppliedMeta.named("default", "a")
			.withLabels(Map.of("app", "web"))
			.withAnnotations(Map.of("note", "x"))
			.withOwners(AppliedMeta.Owner.controller(owner))
			.withFinalizers("example.com/dns");
		this.writer.apply(new SiteSettings(metadata, null));
		JsonNode stored = this.stage.stored("a").path("metadata");
		assertThat(stored.at("/labels/app").asString()).isEqualTo("web");
		assertThat(stored.at("/annotations/note").asString()).isEqualTo("x");
		assertThat(stored.at("/finalizers/0").asString()).isEqualTo("example.com/dns");
		assertThat(stored.at("/ownerReferences/0/uid").asString()).isEqualTo(owner.metadata().uid());
		assertThat(stored.at("/ownerReferences/0/controller").asBoolean()).isTrue();
	}

	@Test
	void aStatusIsWrittenAndNothingElse() {
		Website site = this.stage.created("a");
		Written<SiteStatus> written = this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		JsonNode stored = this.stage.stored("a");
		assertThat(stored.at("/status/phase").asString()).isEqualTo("Ready");
		assertThat(stored.at("/spec/host").asString()).isEqualTo("a.example.com");
		assertThat(stored.at("/metadata/generation").asLong()).isEqualTo(1);
		assertThat(written.changed()).isTrue();
		RecordedRequest request = this.stage.writes().get(0);
		assertThat(request.path()).endsWith("/websites/a/status");
		assertThat(request.body()).isEqualTo("""
				{"apiVersion":"example.com/v1","kind":"Website",\
				"metadata":{"name":"a","namespace":"default","resourceVersion":"%s","uid":"%s"},\
				"status":{"observedGeneration":1,"phase":"Ready"}}""".formatted(site.metadata().resourceVersion(),
				site.metadata().uid()));
	}

	@Test
	void forceTakesFieldsOver() {
		Website site = this.stage.created("a");
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, "other.example.com", null)));
		this.writer.apply(SiteSettings.of(site, "other.example.com", null), ApplyOptions.defaults().withForce());
		assertThatObject(this.stage.stored("a")).managersOf("spec.host").containsExactly("shop/SiteSettings");
	}

	@Test
	void anotherManagerCanBeNamed() {
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3), ApplyOptions.defaults().withManager("autoscaler"));
		assertThatObject(this.stage.stored("a")).managersOf("spec.replicas").containsExactly("autoscaler");
	}

	@Test
	void createsOnce() {
		Written<SiteSettings> written = this.writer.create(SiteSettings.named("a", "shop.example.com", 1));
		assertThat(written.changed()).isTrue();
		assertThat(written.uid()).isEqualTo(this.stage.stored("a").at("/metadata/uid").asString());
		assertThat(this.stage.writes()).singleElement().satisfies((request) -> {
			assertThat(request.method()).isEqualTo("POST");
			assertThat(request.manager()).isEqualTo("shop/SiteSettings");
			assertThat(request.parameter("fieldValidation")).isEqualTo("Strict");
		});
		assertThatExceptionOfType(ObjectExistsException.class)
			.isThrownBy(() -> this.writer.create(SiteSettings.named("a", "shop.example.com", 1)))
			.withMessageContaining("create of example.com/v1 Website 'default/a': there is an object of this name")
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isFalse());
	}

	@Test
	void deletesTheMirroredObject() {
		Website site = this.stage.created("a");
		Written<Website> written = this.writer.delete(site);
		assertThat(written.type()).isEqualTo(Website.class);
		assertThat(written.uid()).isEqualTo(site.metadata().uid());
		assertThat(this.stage.sites.get("default", "a")).isEmpty();
	}

	@Test
	void deletesByKeyAndUid() {
		Website site = this.stage.created("a");
		ResourceKey key = new ResourceKey("default", "a");
		String uid = site.metadata().uid();
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.delete(SiteSettings.class, key, "another"))
			.withMessageContaining("does not exist any more");
		Written<SiteSettings> written = this.writer.delete(SiteSettings.class, key, uid,
				DeleteOptions.defaults().withDependents(DeleteOptions.Dependents.FOREGROUND));
		assertThat(written.uid()).isEqualTo(uid);
		assertThat(this.stage.writes().get(1).body()).contains("\"propagationPolicy\":\"Foreground\"");
		assertThat(this.stage.sites.get("default", "a")).isEmpty();
	}

	@Test
	void twoRecordsAreNotAppliedByOneManager() {
		AppliedMeta metadata = AppliedMeta.named("default", "a");
		this.writer.create(new Other(AppliedMeta.named("default", "b")));
		this.writer.apply(new One(metadata));
		assertThatExceptionOfType(InvalidAppliedTypeException.class)
			.isThrownBy(() -> this.writer.apply(new Other(metadata)))
			.withMessageContaining("is applied to the same kind by the same manager 'one', and each apply would have "
					+ "the fields of the other removed. Name another one with 'manager'");
		this.writer.create(new Other(AppliedMeta.named("default", "c")));
		this.writer.apply(new Other(metadata), ApplyOptions.defaults().withManager("other"));
		assertThat(this.stage.writes()).hasSize(4);
	}

	@Test
	void aWarningOfTheServerIsLoggedOnce(CapturedOutput output) {
		this.stage.server.fail(WriterStage.WRITES, 3,
				Fault.slow(Duration.ZERO).withHeader("Warning", "299 - \"example.com/v1 Website is deprecated\""));
		Website site = this.stage.created("a");
		this.writer.apply(SiteSettings.of(site, null, 3));
		this.writer.create(SiteSettings.named("b", null, 3));
		this.writer.delete(site);
		assertThat(output).containsOnlyOnce("the server warns: example.com/v1 Website is deprecated");
	}

	@AppliedResource(apiVersion = "example.org/v1")
	record Fair(AppliedMeta metadata, Spec spec) {

		record Spec(LocalDate opens, Instant since) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "one")
	record One(AppliedMeta metadata) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "one")
	record Other(AppliedMeta metadata) {

	}

}
