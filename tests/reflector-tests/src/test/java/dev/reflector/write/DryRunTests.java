package dev.reflector.write;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.write.WriteReport.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of a writer whose writes are only tried.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class DryRunTests {

	private final WriterStage stage = new WriterStage();

	private final ResourceWriter writer = this.stage.writer((builder) -> builder.mode(WriteMode.DRY_RUN));

	@AfterEach
	void close() {
		assertThat(this.stage.writes())
			.allSatisfy((request) -> assertThat(request.parameter("dryRun")).isEqualTo("All"));
		this.stage.close();
	}

	private WriteReport lastReport() {
		return this.stage.reports.get(this.stage.reports.size() - 1);
	}

	@Test
	void anApplyNamesThePathsThatWouldChange(CapturedOutput output) throws InterruptedException {
		Website site = this.stage.created("a");
		SiteSettings settings = new SiteSettings(
				AppliedMeta.of(site.metadata()).withLabels(Map.of("tier", "s3cr3t-label")),
				new SiteSettings.Spec(null, 7, List.of("s3cr3t.example.com"), null));
		Written<SiteSettings> written = this.writer.apply(settings);
		assertThat(written.dryRun()).isTrue();
		assertThat(written.changed()).isFalse();
		assertThat(written.uid()).isEqualTo(site.metadata().uid());
		assertThat(written.awaitMirrored(Duration.ZERO)).isTrue();
		assertThat(lastReport().outcome()).isEqualTo(Outcome.DRY_RUN);
		assertThat(lastReport().changes()).containsExactly("metadata.labels.tier", "spec.aliases", "spec.replicas");
		assertThat(output)
			.contains("Dry run: apply of example.com/v1 Website 'default/a' would change "
					+ "metadata.labels.tier, spec.aliases, spec.replicas")
			.doesNotContain("s3cr3t");
		assertThat(this.stage.stored("a").at("/metadata/resourceVersion").asString())
			.isEqualTo(site.metadata().resourceVersion());
	}

	@Test
	void whatIsAsItShouldBeNamesNothing() {
		Website site = this.stage.created("a");
		this.stage.writer.apply(SiteSettings.of(site, null, 3));
		this.stage.server.clearRequests();
		ResourceWriter same = this.stage.writer((builder) -> builder.mode(WriteMode.DRY_RUN));
		same.apply(SiteSettings.of(site, null, 3));
		assertThat(lastReport().changes()).isEmpty();
		same.apply(SiteSettings.of(site, null, null));
		assertThat(lastReport().changes()).containsExactly("spec.replicas");
	}

	@Test
	void aStatusNamesThePathsThatWouldChange() {
		Website site = this.stage.created("a");
		this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", 1L));
		assertThat(lastReport().changes()).containsExactly("status.observedGeneration", "status.phase");
	}

	@Test
	void aConflictIsFoundOut() {
		Website site = this.stage.created("a");
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, "other.example.com", null)));
	}

	@Test
	void aDeletionDeletesNothing(CapturedOutput output) throws InterruptedException {
		Website site = this.stage.created("a");
		Written<Website> deleted = this.writer.delete(site);
		assertThat(deleted.dryRun()).isTrue();
		assertThat(deleted.awaitMirrored(Duration.ZERO)).isTrue();
		assertThat(this.stage.sites.get("default", "a")).isPresent();
		assertThat(this.stage.writes()).singleElement()
			.satisfies((request) -> assertThat(request.body()).contains("\"dryRun\":[\"All\"]"));
		assertThat(output).contains("Dry run: delete of example.com/v1 Website 'default/a' would delete the object");
	}

	@Test
	void whatDependsOnACreateSaysSo(CapturedOutput output) {
		Written<SiteSettings> created = this.writer.create(SiteSettings.named("a", "a.example.com", 1));
		assertThat(created.dryRun()).isTrue();
		assertThat(created.uid()).isNotEmpty();
		assertThat(lastReport().changes()).contains("spec.host", "spec.replicas", "metadata.name");
		assertThat(lastReport().afterDryRun()).isFalse();
		this.stage.server.clearRequests();
		this.writer.status(new AppliedMeta("default", "a", created.uid(), null, null, null, null),
				new SiteStatus("Ready", 1L));
		assertThat(lastReport().afterDryRun()).isTrue();
		assertThat(lastReport().changes()).isEmpty();
		this.writer.delete(SiteSettings.class, created.key(), created.uid());
		assertThat(lastReport().afterDryRun()).isTrue();
		assertThat(this.stage.writes()).isEmpty();
		assertThat(output)
			.contains("Dry run: status of example.com/v1 Website 'default/a' depends on an object that does "
					+ "not exist, because its creation was a dry run");
		this.writer.apply(new SiteSettings(
				AppliedMeta.named("default", "child")
					.withOwners(new AppliedMeta.Owner("example.com/v1", "Website", "a", created.uid(), true, null)),
				null));
		assertThat(lastReport().afterDryRun()).isTrue();
		assertThat(lastReport().changes()).contains("metadata.ownerReferences");
		assertThat(this.stage.sites.size()).isZero();
	}

	@Test
	void whatHasNoEffectIsSentAgainAfterALostAnswer() {
		this.stage.server.fail(WriterStage.WRITES, 1, Fault.truncate(0));
		this.writer.apply(SiteSettings.named("a", "a.example.com", 1));
		assertThat(lastReport().changes()).contains("spec.host", "spec.replicas");
		assertThat(this.stage.writes()).hasSize(2);
		this.stage.server.fail(WriterStage.WRITES, 1, Fault.silence());
		ApplyOptions options = ApplyOptions.defaults().withTimeout(Duration.ofMillis(500));
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.create(SiteSettings.named("a", "a.example.com", 1), options))
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isFalse());
	}

	@Test
	void anAnswerWithoutUidMakesNothingDependOnIt() {
		this.stage.server.fail((request) -> request.method().equals("POST"), 1,
				Fault.response(201, "application/json", "{\"metadata\": {\"name\": \"a\"}}"));
		this.writer.create(SiteSettings.named("a", null, 1));
		this.writer.create(SiteSettings.named("b", null, 1));
		assertThat(lastReport().afterDryRun()).isFalse();
		assertThat(lastReport().changes()).contains("spec.replicas");
	}

	@Test
	void anApplyThatWouldCreateIsComparedWithNothing() {
		this.writer.apply(SiteSettings.named("a", "a.example.com", 1));
		assertThat(lastReport().changes()).contains("spec.host", "spec.replicas");
		assertThat(this.stage.server.requests((request) -> request.path().endsWith("/websites/a")))
			.extracting(RecordedRequest::method)
			.containsExactly("GET", "PATCH");
	}

}
