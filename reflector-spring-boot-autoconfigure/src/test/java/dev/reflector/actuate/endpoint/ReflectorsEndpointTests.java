package dev.reflector.actuate.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.ConsistencyReport;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.FakeReflector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReflectorsEndpoint}.
 */
class ReflectorsEndpointTests {

	private final FakeReflector<Object> pods = new FakeReflector<>("pods",
			FakeReflector.status(ReflectorState.WATCHING, true, null, null));

	private final FakeReflector<Object> nodes = new FakeReflector<>("nodes",
			FakeReflector.status(ReflectorState.BACKING_OFF, false, FakeReflector.NOW, FakeReflector.forbidden()));

	private final ReflectorsEndpoint endpoint = new ReflectorsEndpoint(() -> Stream.of(this.pods, this.nodes));

	private final List<AuditEvent> audited = new ArrayList<>();

	@Test
	void listsReflectorsInTheOrderOfTheirNames() {
		assertThat(this.endpoint.reflectors().reflectors().keySet()).containsExactly("nodes", "pods");
	}

	@Test
	void unknownReflectorIsNothing() {
		assertThat(this.endpoint.reflector("unknown")).isNull();
		assertThat(this.endpoint.act("unknown", "relist")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "relist", "resync", "pause", "resume" })
	void passesActionOn(String action) {
		assertThat(this.endpoint.act("pods", action)).isEqualTo(this.endpoint.reflector("pods"));
		assertThat(this.pods.actions()).containsExactly(action);
		assertThat(this.nodes.actions()).isEmpty();
	}

	@Test
	void refusesUnknownAction() {
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> this.endpoint.act("pods", "explode"))
			.withMessageContaining("relist, resync, pause, resume, verify");
		assertThat(this.pods.actions()).isEmpty();
	}

	@Test
	void everyOrderIsAnAuditEvent() {
		ReflectorsEndpointWebExtension web = web(Show.ALWAYS);
		for (String action : List.of("relist", "resync", "pause", "resume", "verify")) {
			body(web.act(user("jane"), "pods", action));
		}
		assertThat(this.audited).extracting(AuditEvent::getType).containsOnly("REFLECTOR_ORDER");
		assertThat(this.audited).extracting(AuditEvent::getPrincipal).containsOnly("jane");
		assertThat(this.audited).extracting(AuditEvent::getData)
			.containsExactly(data("relist", "ACCEPTED"), data("resync", "ACCEPTED"), data("pause", "ACCEPTED"),
					data("resume", "ACCEPTED"), data("verify", "DIFFERENT"));
	}

	@Test
	void whatIsNoOrderIsNoAuditEvent() {
		ReflectorsEndpointWebExtension web = web(Show.ALWAYS);
		web.reflectors(user("jane"));
		web.act(user("jane"), "unknown", "relist");
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> web.act(user("jane"), "pods", "explode"));
		assertThat(this.audited).isEmpty();
	}

	@Test
	void orderOfNobodyKnownIsAuditedWithoutName() {
		web(Show.ALWAYS).act(SecurityContext.NONE, "pods", "relist");
		assertThat(this.audited).extracting(AuditEvent::getPrincipal).containsExactly("");
	}

	@Test
	void orderThatFailsIsAudited() {
		FakeReflector<Object> broken = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.WATCHING, true, null, null)) {

			@Override
			public void relist() {
				throw new IllegalStateException("broken");
			}

		};
		ReflectorsEndpoint failing = new ReflectorsEndpoint(() -> Stream.of(broken), new Sanitizer(), Show.ALWAYS,
				this::audit);
		assertThatIllegalStateException().isThrownBy(() -> failing.act("pods", "relist"));
		assertThat(this.audited).extracting(AuditEvent::getData).containsExactly(data("relist", "FAILED"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "relist", "resync", "pause", "resume" })
	void orderThatAStoppedReflectorDoesNotTakeIsNotAccepted(String action) {
		this.pods.become(FakeReflector.status(ReflectorState.STOPPED, true, null, null));
		WebEndpointResponse<?> answer = (WebEndpointResponse<?>) web(Show.ALWAYS).act(user("jane"), "pods", action);
		assertThat(answer.getStatus()).isEqualTo(409);
		assertThat(answer.getBody()).isEqualTo(this.endpoint.reflector("pods"));
		assertThatIllegalStateException().isThrownBy(() -> this.endpoint.act("pods", action))
			.withMessageContainingAll("'pods' is stopped", "'" + action + "'");
		assertThat(this.pods.actions()).isEmpty();
		assertThat(this.audited).extracting(AuditEvent::getData).containsExactly(data(action, "IGNORED"));
	}

	@Test
	void aSnapshotThatIsNotThereCannotBeReset() {
		assertThatIllegalStateException().isThrownBy(() -> this.endpoint.act("pods", "reset-snapshot"))
			.withMessage("the reflector 'pods' has no snapshot");
	}

	@Test
	void aStoreThatFailsSaysWhyASnapshotIsNotReset() {
		SnapshotStore store = mock(SnapshotStore.class);
		given(store.location()).willReturn("a disk");
		given(store.open("pods")).willThrow(new SnapshotException("the disk is full", null));
		SnapshotCodec<Widget> codec = mock();
		SharedInformer<Widget> durable = SharedInformer
			.builder("pods", new InMemoryListerWatcher<>(List.of()), MetadataAccessor.forType(Widget.class))
			.resourceType(ResourceType.of("v1", "Pod", "pods"))
			.snapshot(new SnapshotOptions<>(store, codec, true, SnapshotOptions.OnMismatch.RELIST, Duration.ZERO, true))
			.build();
		assertThat(refusal(durable, Show.ALWAYS)).isEqualTo("the disk is full");
		assertThat(refusal(durable, Show.NEVER)).isEqualTo(SanitizableData.SANITIZED_VALUE);
		assertThat(this.audited).extracting(AuditEvent::getData)
			.containsOnly(data("reset-snapshot", "FAILED"))
			.hasSize(2);
	}

	private String refusal(Reflector<?> reflector, Show show) {
		ReflectorsEndpoint endpoint = new ReflectorsEndpoint(() -> Stream.of(reflector), new Sanitizer(), show,
				this::audit);
		WebEndpointResponse<?> answer = (WebEndpointResponse<?>) new ReflectorsEndpointWebExtension(endpoint, show,
				Set.of())
			.act(user("jane"), "pods", "reset-snapshot");
		assertThat(answer.getStatus()).isEqualTo(409);
		return ((ReflectorOperations.Refusal) answer.getBody()).message();
	}

	@ParameterizedTest
	@ValueSource(strings = { "the server's own words", "Internal", "" })
	void aReasonThatTheServerHasChosenIsHiddenAsItsMessageIs(String reason) {
		String shown = reason.isEmpty() ? "" : SanitizableData.SANITIZED_VALUE;
		assertThat(reason(Show.NEVER, reason)).isEqualTo(shown);
		assertThat(reason(Show.WHEN_AUTHORIZED, reason)).isEqualTo(shown);
		assertThat(reason(Show.ALWAYS, reason)).isEqualTo(reason);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Forbidden", "Expired", "TlsFailure", "UnreadableObject", "TypeNotServed" })
	void aReasonOfKubernetesOrOfOursIsShown(String reason) {
		assertThat(reason(Show.NEVER, reason)).isEqualTo(reason);
	}

	/** Those that are constants in the sources, or are given to what holds an error. */
	@Test
	void allOurOwnReasonsAreShown() throws IOException {
		Pattern reason = Pattern.compile(
				"(?:new (?:Failure|Status|LastError|ConnectionException)\\([^\";]*|refused\\(|static final String (?:REASON"
						+ "|UNDECODABLE|UNREADABLE|CONNECTION_REFUSED|UNKNOWN_HOST|TLS_FAILURE|TIMEOUT|CONNECTION_LOST"
						+ "|TOO_MANY|TOO_LARGE|CONNECT_TIMEOUT|PROXY_FAILURE|NO_ROUTE) = )\"([A-Z][A-Za-z]+)\"");
		Set<String> ours = new TreeSet<>();
		for (String module : List.of("reflector-core", "reflector-client", "reflector-kafka")) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
				for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
					reason.matcher(Files.readString(file)).results().forEach((found) -> ours.add(found.group(1)));
				}
			}
		}
		assertThat(ours).contains("TooManyObjects", "MirrorTooLarge", "ClientWatchDecoding", "ClusterScoped",
				"EndlessList", "KafkaUnavailable", "ListenerFailed", "TopicChanged", "TopicUndecided",
				"VeryShortWatch");
		assertThat(ours).allSatisfy((name) -> assertThat(reason(Show.NEVER, name)).isEqualTo(name));
	}

	@ParameterizedTest
	@CsvSource({ "the server's own words, false", "a1, false", "12345, true", "'', true" })
	void aVersionThatIsNoNumberIsHiddenAsAMessageIs(String version, boolean shown) {
		ReflectorStatus status = this.pods.status();
		ReflectorStatus.Scope scope = new ReflectorStatus.Scope(null, status.state(), true, version, null, null, null,
				null);
		this.pods.become(new ReflectorStatus(status.state(), version, status.synced(), status.size(), status.skipped(),
				status.queueDepth(), status.counts(), status.lastListAt(), status.lastEventAt(), null, null, null, null,
				new ReflectorStatus.Contact(true, null, false, List.of(scope))));
		String hidden = shown ? version : SanitizableData.SANITIZED_VALUE;
		assertThat(endpoint(Show.NEVER).reflector("pods").lastSyncResourceVersion()).isEqualTo(hidden);
		assertThat(endpoint(Show.NEVER).reflector("pods").scopes()).singleElement()
			.satisfies((part) -> assertThat(part.lastSyncResourceVersion()).isEqualTo(hidden));
		assertThat(endpoint(Show.ALWAYS).reflector("pods").lastSyncResourceVersion()).isEqualTo(version);
	}

	private static String reason(Show show, String reason) {
		ReflectorStatus.LastError error = new ReflectorStatus.LastError(FakeReflector.NOW, 500, reason, "said");
		FakeReflector<Object> reflector = new FakeReflector<>("pods",
				FakeReflector.status(ReflectorState.BACKING_OFF, true, FakeReflector.NOW, error));
		ReflectorsEndpoint endpoint = new ReflectorsEndpoint(() -> Stream.of(reflector), new Sanitizer(), show,
				(event) -> {
				});
		return endpoint.reflector("pods").lastError().reason();
	}

	@Test
	void messagesAndKeysAreHiddenFromWhoMayNotSeeThem() {
		assertThat(message(web(Show.NEVER), user("jane"))).isEqualTo(SanitizableData.SANITIZED_VALUE);
		assertThat(key(web(Show.NEVER), user("jane"))).isEqualTo(SanitizableData.SANITIZED_VALUE);
		assertThat(message(web(Show.WHEN_AUTHORIZED), SecurityContext.NONE)).isEqualTo(SanitizableData.SANITIZED_VALUE);
		assertThat(message(web(Show.WHEN_AUTHORIZED), user("jane"))).isEqualTo("pods is forbidden");
		assertThat(message(web(Show.WHEN_AUTHORIZED, "operator"), user("jane")))
			.isEqualTo(SanitizableData.SANITIZED_VALUE);
		assertThat(message(web(Show.WHEN_AUTHORIZED, "operator"), user("operator"))).isEqualTo("pods is forbidden");
		assertThat(key(web(Show.ALWAYS), SecurityContext.NONE)).isEqualTo("default/web");
	}

	@Test
	void aListenerThatHasNotReturnedIsShownAndTheObjectHidden() {
		ReflectorStatus status = this.pods.status();
		this.pods.become(new ReflectorStatus(status.state(), status.lastSyncResourceVersion(), status.synced(),
				status.size(), status.skipped(), status.queueDepth(), status.counts(), status.lastListAt(),
				status.lastEventAt(), null, null, null,
				new ReflectorStatus.BusyListener("Orders.on(ResourceEvent)", "UPDATED default/web", FakeReflector.NOW),
				status.contact()));
		assertThat(endpoint(Show.ALWAYS).reflector("pods").busyListener()).isEqualTo(this.pods.status().busyListener());
		assertThat(endpoint(Show.NEVER).reflector("pods").busyListener()).isEqualTo(new ReflectorStatus.BusyListener(
				"Orders.on(ResourceEvent)", SanitizableData.SANITIZED_VALUE, FakeReflector.NOW));
	}

	@Test
	void withoutTheWebNobodyIsAuthorized() {
		assertThat(error(endpoint(Show.WHEN_AUTHORIZED).reflector("nodes"))).isEqualTo(SanitizableData.SANITIZED_VALUE);
		assertThat(error(endpoint(Show.ALWAYS).reflector("nodes"))).isEqualTo("pods is forbidden");
	}

	@Test
	void functionsOfTheApplicationAreAsked() {
		List<String> keys = new ArrayList<>();
		SanitizingFunction function = (data) -> {
			keys.add(data.getKey());
			return data.withSanitizedValue();
		};
		ReflectorsEndpoint sanitizing = new ReflectorsEndpoint(() -> Stream.of(this.nodes),
				new Sanitizer(List.of(function)), Show.ALWAYS, this::audit);
		assertThat(error(sanitizing.reflector("nodes"))).isEqualTo(SanitizableData.SANITIZED_VALUE);
		sanitizing.act("nodes", "verify");
		assertThat(keys).containsExactly("reflectors.nodes.message", "reflectors.nodes.object");
	}

	private String message(ReflectorsEndpointWebExtension web, SecurityContext who) {
		assertThat(error(web.reflectors(who).reflectors().get("nodes"))).isEqualTo(error(web.reflector(who, "nodes")));
		return error(web.reflector(who, "nodes"));
	}

	private static String error(@Nullable ReflectorDescriptor descriptor) {
		assertThat(descriptor).isNotNull();
		ReflectorStatus.LastError error = descriptor.lastError();
		assertThat(error).isNotNull();
		return error.message();
	}

	private static String key(ReflectorsEndpointWebExtension web, SecurityContext who) {
		return ((ConsistencyDescriptor) body(web.act(who, "nodes", "verify"))).scopes()
			.get(0)
			.differences()
			.get(0)
			.key();
	}

	private static Object body(Object answer) {
		return (answer instanceof Mono<?> later) ? later.block() : ((WebEndpointResponse<?>) answer).getBody();
	}

	@Test
	void aComparisonThatNobodyWaitsForAnyMoreIsAuditedWhenItEnds() {
		CompletableFuture<ConsistencyReport> comparison = new CompletableFuture<>();
		this.pods.comparing(comparison);
		Object answer = web(Show.ALWAYS).act(user("jane"), "pods", "verify");
		((Mono<?>) answer).subscribe().dispose();
		assertThat(this.audited).isEmpty();
		comparison.complete(new ConsistencyReport("pods", FakeReflector.NOW, List.of()));
		assertThat(this.audited).extracting(AuditEvent::getPrincipal).containsExactly("jane");
	}

	private ReflectorsEndpoint endpoint(Show show) {
		return new ReflectorsEndpoint(() -> Stream.of(this.pods, this.nodes), new Sanitizer(), show, this::audit);
	}

	private ReflectorsEndpointWebExtension web(Show show, String... roles) {
		return new ReflectorsEndpointWebExtension(endpoint(show), show, Set.of(roles));
	}

	private void audit(Object event) {
		this.audited.add(((AuditApplicationEvent) event).getAuditEvent());
	}

	private static Map<String, Object> data(String action, String outcome) {
		return Map.of("reflector", "pods", "action", action, "outcome", outcome);
	}

	private static SecurityContext user(String name) {
		return new SecurityContext() {

			@Override
			public Principal getPrincipal() {
				return () -> name;
			}

			@Override
			public boolean isUserInRole(String role) {
				return role.equals(name);
			}

		};
	}

}
