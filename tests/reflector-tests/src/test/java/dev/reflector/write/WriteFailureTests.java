package dev.reflector.write;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.Status;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.HttpVersion;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.write.WriteConflictException.Conflict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what a writer says about failures, and of what it sends again.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteFailureTests {

	private static final Duration SHORT = Duration.ofSeconds(2);

	private final WriterStage stage = new WriterStage();

	private final ResourceWriter writer = this.stage.writer;

	@AfterEach
	void close() {
		this.stage.close();
	}

	private void fail(int times, Fault fault) {
		this.stage.server.fail(WriterStage.WRITES, times, fault);
	}

	private static Fault executedAndLost() {
		return Fault.truncate(0);
	}

	@Test
	void aConflictNamesEachManagerAndField() {
		Website site = this.stage.created("a");
		this.stage.sites.managedBy("autoscaler").mergePatch("default", "a", "{\"spec\": {\"replicas\": 5}}");
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, "b.example.com", 2)))
			.withMessageContaining("apply of example.com/v1 Website 'default/a'")
			.withMessageContaining(".spec.host is owned by 'kubectl'")
			.withMessageContaining(".spec.replicas is owned by 'autoscaler'")
			.withMessageContaining("withForce()")
			.satisfies((ex) -> {
				assertThat(ex.conflicts()).containsExactlyInAnyOrder(new Conflict("kubectl", ".spec.host"),
						new Conflict("autoscaler", ".spec.replicas"));
				assertThat(ex.reason()).isEqualTo("conflict");
				assertThat(ex.key()).isEqualTo(new ResourceKey("default", "a"));
				assertThat(ex.status()).isNotNull();
				assertThat(ex.mayHaveHappened()).isFalse();
			});
		assertThat(this.stage.stored("a").at("/spec/replicas").asInt()).isEqualTo(5);
	}

	@Test
	void manyConflictsAreRead() {
		Map<String, String> theirs = new HashMap<>();
		Map<String, String> mine = new HashMap<>();
		for (int i = 0; i < 1_000; i++) {
			theirs.put("option-" + i, "theirs");
			mine.put("option-" + i, "mine");
		}
		this.stage.sites.managedBy("kubectl")
			.create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("options", theirs)));
		SiteSettings settings = new SiteSettings(AppliedMeta.named("default", "a"),
				new SiteSettings.Spec(null, null, null, mine));
		assertThatExceptionOfType(WriteConflictException.class).isThrownBy(() -> this.writer.apply(settings))
			.satisfies((ex) -> assertThat(ex.conflicts()).hasSize(100)
				.contains(new Conflict("kubectl", ".spec.options.option-1")));
	}

	@Test
	void aForbiddenWriteNamesTheRule() {
		Website site = this.stage.created("a");
		fail(3, Fault.status(403, "Forbidden", "User \"app\" cannot patch resource \"websites\""));
		AppliedMeta metadata = AppliedMeta.of(site.metadata());
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> this.writer.status(metadata, new SiteStatus("Ready", null)))
			.withMessageContaining("the role needs the rule")
			.extracting(WriteForbiddenException::rule)
			.isEqualTo("{apiGroups: [\"example.com\"], resources: [\"websites/status\"], verbs: [\"patch\"]}");
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("b", null, 1)))
			.extracting(WriteForbiddenException::rule)
			.isEqualTo("{apiGroups: [\"example.com\"], resources: [\"websites\"], verbs: [\"patch\", \"create\"]}");
		assertThatExceptionOfType(WriteForbiddenException.class).isThrownBy(() -> this.writer.delete(site))
			.extracting(WriteForbiddenException::rule)
			.isEqualTo("{apiGroups: [\"example.com\"], resources: [\"websites\"], verbs: [\"delete\"]}");
	}

	@Test
	void whatIsForbiddenInOtherWordsNeedsNoRule() {
		fail(1, Fault.status(403, "Forbidden", "exceeded quota: sites, used: count/websites=5, limited: 5"));
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> this.writer.create(SiteSettings.named("b", null, 1)))
			.withMessageContaining("an admission plugin or a quota refuses it (403 Forbidden: exceeded quota: sites")
			.extracting(WriteForbiddenException::rule)
			.isEqualTo("");
	}

	/** The webhook has not found another object, or must not read it. */
	@ParameterizedTest
	@CsvSource({ "400, BadRequest", "403, Forbidden", "404, NotFound", "409, AlreadyExists", "410, Gone" })
	void aWebhookThatRefusesSaysNothingOfTheObject(int code, String reason) {
		Website site = this.stage.created("a");
		Fault denied = Fault.response(code, "application/json", """
				{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "%s", "code": %d,
				 "message": "admission webhook \\"a.io\\" denied the request: b cannot get resource \\"secrets\\"",
				 "details": {"name": "certificate", "kind": "secrets"}}""".formatted(reason, code));
		fail(1, denied);
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 2)))
			.withMessageContaining("an admission plugin or a quota refuses it (" + code)
			.extracting(WriteForbiddenException::rule)
			.isEqualTo("");
		fail(1, Fault.disconnect());
		fail(1, denied);
		assertThatExceptionOfType(WriteForbiddenException.class).isThrownBy(() -> this.writer.delete(site));
		assertThat(this.stage.sites.get("default", "a")).isPresent();
	}

	@Test
	void rejectedCredentialsNeedNoRule() {
		fail(2, Fault.status(401));
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("b", null, 1)))
			.extracting(WriteForbiddenException::rule)
			.isEqualTo("");
	}

	@Test
	void aDeletedObjectIsNotCreatedAgain() {
		Website site = this.stage.created("a");
		AppliedMeta metadata = AppliedMeta.of(site.metadata());
		this.stage.sites.delete("default", "a");
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 2)))
			.withMessageContaining("does not exist any more, so nothing was written");
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.status(metadata, new SiteStatus("Ready", null)));
		assertThatExceptionOfType(ObjectGoneException.class).isThrownBy(() -> this.writer.delete(site));
		assertThat(this.stage.sites.get("default", "a")).isEmpty();
	}

	@Test
	void anotherObjectOfTheNameIsNotReached() {
		Website site = this.stage.created("a");
		AppliedMeta metadata = AppliedMeta.of(site.metadata());
		this.stage.sites.delete("default", "a");
		Website other = this.stage.created("a");
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 2)));
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.status(metadata, new SiteStatus("Ready", null)));
		assertThatExceptionOfType(ObjectGoneException.class).isThrownBy(() -> this.writer.delete(site));
		assertThat(this.stage.stored("a").at("/metadata/resourceVersion").asString())
			.isEqualTo(other.metadata().resourceVersion());
	}

	@Test
	void anUnknownFieldIsInvalid() {
		assertThatExceptionOfType(WriteInvalidException.class)
			.isThrownBy(() -> this.writer.apply(new Misspelt(AppliedMeta.named("default", "a"), new Misspelt.Spec(1))))
			.withMessageContaining("replica")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("invalid"));
		assertThat(this.stage.sites.size()).isZero();
	}

	@Test
	void theCausesOfAnInvalidObjectAreNamed() {
		fail(1, Fault.response(422, "application/json", """
				{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422,
				 "message": "is invalid", "details": {"causes": [{"reason": "FieldValueInvalid",
				 "message": "must be positive", "field": "spec.replicas"}]}}"""));
		assertThatExceptionOfType(WriteInvalidException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("a", null, -1)))
			.withMessageContaining("spec.replicas: must be positive")
			.extracting(WriteInvalidException::causes)
			.asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(Status.Cause.class))
			.containsExactly(new Status.Cause("FieldValueInvalid", "must be positive", "spec.replicas"));
	}

	@Test
	void anotherTypeOrNamespaceIsNotFound() {
		assertThatExceptionOfType(WriteNotFoundException.class)
			.isThrownBy(() -> this.writer.apply(new Unserved(AppliedMeta.named("default", "a"))))
			.withMessageContaining("does not serve");
		fail(1, Fault.status(404, "NotFound", "namespaces \"default\" not found"));
		assertThatExceptionOfType(WriteNotFoundException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("a", null, 1)))
			.withMessageContaining("namespaces \"default\" not found");
	}

	@Test
	void aNotFoundThatNamesNoObjectIsNotAboutTheObject() {
		Website site = this.stage.created("a");
		fail(1, Fault.plainText(404));
		assertThatExceptionOfType(WriteNotFoundException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 2)));
		fail(1, Fault.disconnect());
		fail(1, Fault.plainText(404));
		assertThatExceptionOfType(WriteNotFoundException.class).isThrownBy(() -> this.writer.delete(site))
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
		assertThat(this.stage.sites.get("default", "a")).isPresent();
	}

	@Test
	void aNamespaceOfAClusterScopedTypeIsTheMistake() {
		AppliedMeta metadata = AppliedMeta.of(this.stage.created("a").metadata());
		this.stage.server.addType("example.org/v1", "Zone", "zones", false);
		assertThatExceptionOfType(WriteNotFoundException.class)
			.isThrownBy(() -> this.writer.apply(new ClusterWide(metadata)))
			.withMessageContaining("is cluster-scoped, and its objects are in no namespace");
	}

	@ParameterizedTest
	@ValueSource(ints = { 413, 500 })
	void aLargeObjectIsTooLarge(int code) {
		fail(1, Fault.status(code, (code == 413) ? "RequestEntityTooLarge" : "InternalError",
				"etcdserver: request is too large"));
		assertThatExceptionOfType(WriteTooLargeException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("a", "x".repeat(2000), null)))
			.withMessageContaining("larger than the server accepts")
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isFalse());
	}

	@Test
	void anObjectThatTheServerDoesNotSendToEtcdIsTooLarge() {
		fail(1, Fault.status(500, "InternalError", "rpc error: code = ResourceExhausted desc = trying to send message "
				+ "larger than max (2179622 vs. 2097152)"));
		assertThatExceptionOfType(WriteTooLargeException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.named("a", "x".repeat(2000), null)))
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isFalse());
	}

	@Test
	void tooManyRequestsWithoutATimeToWaitAreSaidToHaveNone() {
		fail(Integer.MAX_VALUE, Fault.status(429));
		assertThatExceptionOfType(WriteThrottledException.class)
			.isThrownBy(() -> this.writer.create(SiteSettings.named("a", "shop.example.com", 1),
					ApplyOptions.defaults().withTimeout(SHORT)))
			.withMessageContaining(
					"names no time to wait; the next attempt is not within the rest of the timeout of " + "2000 ms")
			.extracting(WriteThrottledException::retryAfter)
			.isEqualTo(Duration.ZERO);
	}

	@Test
	void tooManyRequestsAreRepeatedWithinTheTimeout() {
		fail(1, Fault.status(429).withRetryAfter(1));
		this.writer.create(SiteSettings.named("a", "shop.example.com", 1));
		assertThat(this.stage.writes()).hasSize(2);
		fail(1, Fault.status(429).withRetryAfter(60));
		assertThatExceptionOfType(WriteThrottledException.class)
			.isThrownBy(() -> this.writer.create(SiteSettings.named("b", "shop.example.com", 1)))
			.withMessageContaining("asks to wait for 60 s, which is not within the rest of the timeout of 20000 ms")
			.satisfies((ex) -> {
				assertThat(ex.retryAfter()).isEqualTo(Duration.ofSeconds(60));
				assertThat(ex.mayHaveHappened()).isFalse();
			});
	}

	/** The server's Retry-After is longer than the timeout. */
	@Test
	void anUnavailableServerIsAskedWhenItSays() {
		Website site = this.stage.created("a");
		fail(1, Fault.status(503).withRetryAfter(60));
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 3)));
		assertThat(this.stage.writes()).hasSize(1);
	}

	@Test
	void aRedirectIsNoRefusalOfTheObject() {
		Website site = this.stage.created("a");
		fail(1, Fault.response(302, "text/plain", "").withHeader("Location", "http://localhost:1/"));
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 3)));
		assertThat(this.stage.writes()).hasSize(1);
	}

	@Test
	void aRequestThatDidNotArriveInTimeIsSentAgain() {
		Website site = this.stage.created("a");
		fail(1, Fault.status(408));
		this.writer.apply(SiteSettings.of(site, null, 3));
		assertThat(this.stage.writes()).hasSize(2);
	}

	@Test
	void whatHasAUidIsSentAgainAfterALostAnswer() {
		Website site = this.stage.created("a");
		fail(1, executedAndLost());
		Written<SiteSettings> written = this.writer.apply(SiteSettings.of(site, null, 3));
		assertThat(this.stage.stored("a").at("/spec/replicas").asInt()).isEqualTo(3);
		assertThat(written.resourceVersion())
			.isEqualTo(this.stage.stored("a").at("/metadata/resourceVersion").asString());
		fail(2, Fault.disconnect());
		this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", null));
		fail(1, Fault.status(503));
		fail(1, Fault.garbage());
		this.writer.apply(SiteSettings.of(site, null, 4));
		assertThat(this.stage.writes()).hasSize(2 + 3 + 3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatHasNoUidIsNotSentAgainAfterALostAnswer(boolean create) {
		SiteSettings settings = SiteSettings.named("a", "shop.example.com", 1);
		fail(1, executedAndLost());
		assertThatExceptionOfType(WriteUnreachableException.class).isThrownBy(() -> write(create, settings))
			.withMessageContaining("without a uid it is not sent again")
			.withMessageContaining("it may have happened all the same")
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
		assertThat(this.stage.writes()).hasSize(1);
		assertThat(this.stage.sites.get("default", "a")).isPresent();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aKeptConnectionThatIsLostDoesNotRepeatIt(boolean reset) {
		this.writer.create(SiteSettings.named("first", null, 1));
		fail(1, reset ? Fault.reset() : Fault.disconnect());
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.create(SiteSettings.named("a", null, 1)))
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
		assertThat(this.stage.writes()).hasSize(2);
	}

	/**
	 * With HTTP/2, a stream that the server has refused and one whose answer was lost
	 * look the same.
	 */
	@Test
	void aStreamThatIsLostDoesNotRepeatIt() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Website", "websites", true)
			.tls()
			.http2(true)
			.start()) {
			ApiServerClient client = ApiServerClient.builder(Kubeconfig.parse(server.kubeconfig(), "test", null))
				.options(ClientOptions.defaults().withHttpVersion(HttpVersion.HTTP_2))
				.build();
			ResourceWriter http2 = client.writer().application("shop").build();
			server.fail(WriterStage.WRITES, 1, Fault.disconnect());
			assertThatExceptionOfType(WriteUnreachableException.class)
				.isThrownBy(() -> http2.create(SiteSettings.named("a", null, 1)))
				.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
			assertThat(server.requests(WriterStage.WRITES)).hasSize(1);
			client.disconnect();
		}
	}

	private void write(boolean create, SiteSettings settings) {
		if (create) {
			this.writer.create(settings);
		}
		else {
			this.writer.apply(settings);
		}
	}

	@Test
	void aRepeatedDeletionOfWhatIsGoneHasSucceeded() {
		Website site = this.stage.created("a");
		fail(1, executedAndLost());
		assertThat(this.writer.delete(site).uid()).isEqualTo(site.metadata().uid());
		assertThat(this.stage.writes()).hasSize(2);
	}

	@Test
	void aRepeatedDeletionThatFindsAnotherObjectHasSucceeded() {
		Website site = this.stage.created("a");
		Predicate<RecordedRequest> deletions = (request) -> request.method().equals("DELETE");
		this.stage.server.fail(deletions, 1, executedAndLost());
		this.stage.server.fail((request) -> {
			if (deletions.test(request) && this.stage.sites.get("default", "a").isEmpty()) {
				this.stage.sites.create("{\"metadata\": {\"name\": \"a\"}}");
			}
			return false;
		}, 1, Fault.silence());
		this.writer.delete(site);
		assertThat(this.stage.stored("a").at("/metadata/uid").asString()).isNotEqualTo(site.metadata().uid());
	}

	@Test
	void aNamespaceThatIsGoneIsGone() {
		this.stage.server.addType("v1", "Namespace", "namespaces", false);
		Written<Space> space = this.writer.create(new Space(AppliedMeta.named(null, "shop")));
		fail(1, executedAndLost());
		this.writer.delete(Space.class, space.key(), space.uid());
		assertThatExceptionOfType(ObjectGoneException.class)
			.isThrownBy(() -> this.writer.delete(Space.class, space.key(), space.uid()))
			.withMessageContaining("namespaces \"shop\" not found");
	}

	@Test
	void anAnswerThatDoesNotComeIsWaitedForUpToTheTimeout() {
		Website site = this.stage.created("a");
		fail(Integer.MAX_VALUE, Fault.silence());
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(
					() -> this.writer.apply(SiteSettings.of(site, null, 1), ApplyOptions.defaults().withTimeout(SHORT)))
			.withMessageContaining("no valid response of the server (the timeout of 2000 ms has passed)")
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
		assertThat(this.stage.writes()).as("a webhook may be slow").hasSize(1);
	}

	@Test
	void aServerThatIsDownIsWaitedFor() {
		Website site = this.stage.created("a");
		this.stage.server.stop();
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.delete(site, DeleteOptions.defaults().withTimeout(SHORT)))
			.withMessageContaining("delete of example.com/v1 Website 'default/a': no valid response of the server")
			.satisfies((ex) -> {
				assertThat(ex.mayHaveHappened()).isFalse();
				assertThat(ex.reason()).isEqualTo("unreachable");
				assertThat(ex.status()).isNull();
			});
		this.stage.server.start();
		this.writer.delete(site);
	}

	@Test
	void othersThatChangeTheObjectAllTheTimeAreAConflict() {
		Website site = this.stage.created("a");
		Fault modified = Fault.status(409, "Conflict", "the object has been modified; please apply your changes");
		fail(2, modified);
		this.writer.apply(SiteSettings.of(site, null, 1));
		fail(Integer.MAX_VALUE, modified);
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 2)))
			.withMessageContaining("others keep changing the object")
			.satisfies((ex) -> assertThat(ex.conflicts()).isEmpty());
	}

	@Test
	void aConflictOfAnotherKindIsNotRepeated() {
		Website site = this.stage.created("a");
		fail(2, Fault.status(409, "Conflict", "the site is locked for a backup"));
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 1)))
			.withMessageContaining("the server sees a conflict")
			.withMessageContaining("the site is locked for a backup");
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.status(AppliedMeta.of(site.metadata()), new SiteStatus("Ready", null)));
		assertThat(this.stage.writes()).hasSize(2);
	}

	@Test
	void aStatusIsNotRepeatedWithoutEnd() {
		AppliedMeta metadata = AppliedMeta.of(this.stage.created("a").metadata());
		fail(Integer.MAX_VALUE,
				Fault.status(409, "Conflict", "the object has been modified; please apply your changes"));
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.stage.writerWithoutMirror().status(metadata, new SiteStatus("Ready", null)))
			.withMessageContaining("others keep changing the object");
		assertThat(this.stage.writes()).hasSize(5);
	}

	@Test
	void aStatusHasOneTimeoutWithTheReadOfItsVersion() {
		AppliedMeta metadata = AppliedMeta.of(this.stage.created("a").metadata());
		Predicate<RecordedRequest> reads = (request) -> request.method().equals("GET")
				&& request.path().endsWith("/websites/a");
		this.stage.server.fail(reads, 1, Fault.status(429).withRetryAfter(1));
		// each delay is within the timeout, but not both, however long the requests take
		fail(1, Fault.status(429).withRetryAfter(10));
		ApplyOptions options = ApplyOptions.defaults().withTimeout(Duration.ofMillis(10_500));
		assertThatExceptionOfType(WriteThrottledException.class).isThrownBy(
				() -> this.stage.writerWithoutMirror().status(metadata, new SiteStatus("Ready", null), options));
	}

	@Test
	void aStatusWhoseAnswerWasLostMayHaveHappened() {
		AppliedMeta metadata = AppliedMeta.of(this.stage.created("a").metadata());
		ResourceWriter unmirrored = this.stage.writerWithoutMirror();
		Predicate<RecordedRequest> reads = (request) -> request.method().equals("GET")
				&& request.path().endsWith("/websites/a");
		fail(1, executedAndLost());
		// the repeated write finds another version, and then the object is asked for
		Fault forbidden = Fault.status(403);
		this.stage.server.fail((request) -> reads.test(request) && this.stage.writes().size() == 2, 1, forbidden);
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> unmirrored.status(metadata, new SiteStatus("Ready", null)))
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
		this.stage.server.fail(reads, 1, Fault.disconnect());
		this.stage.server.fail(reads, 1, forbidden);
		assertThatExceptionOfType(WriteForbiddenException.class)
			.isThrownBy(() -> unmirrored.status(metadata, new SiteStatus("Late", null)))
			.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isFalse());
	}

	@Test
	void anInterruptedThreadDoesNotWait() {
		Website site = this.stage.created("a");
		// an answer that has already arrived needs no waiting
		fail(1, Fault.silence());
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(WriteUnreachableException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, null, 1)))
			.withMessageContaining("the thread was interrupted");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anObserverThatFailsDoesNotKeepOthersFromTheReport() {
		ResourceWriter observed = this.stage.writer((builder) -> builder.observer((report) -> {
			throw new AssertionError("this observer fails");
		}).observer(this.stage.reports::add));
		observed.create(SiteSettings.named("a", "shop.example.com", 1));
		assertThat(this.stage.reports).as("before and after the one that fails").hasSize(2);
	}

	@Test
	void failuresAreReported() {
		Website site = this.stage.created("a");
		assertThatExceptionOfType(WriteConflictException.class)
			.isThrownBy(() -> this.writer.apply(SiteSettings.of(site, "b.example.com", null)));
		assertThat(this.stage.reports).singleElement().satisfies((report) -> {
			assertThat(report.operation()).isEqualTo(WriteOperation.APPLY);
			assertThat(report.outcome()).isEqualTo(WriteReport.Outcome.FAILED);
			assertThat(report.failure()).isInstanceOf(WriteConflictException.class);
			assertThat(report.type()).isEqualTo(SiteSettings.class);
		});
	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
	record Misspelt(AppliedMeta metadata, Spec spec) {

		record Spec(Integer replica) {
		}

	}

	@AppliedResource(apiVersion = "example.org/v1", kind = "Zone")
	record ClusterWide(AppliedMeta metadata) {

	}

	@AppliedResource(apiVersion = "v1", kind = "Namespace")
	record Space(AppliedMeta metadata) {

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Webpage")
	record Unserved(AppliedMeta metadata) {

	}

}
