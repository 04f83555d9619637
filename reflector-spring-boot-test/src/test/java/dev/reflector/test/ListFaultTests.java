package dev.reflector.test;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Faults of whole lists, over real sockets.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListFaultTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private EmbeddedApiServer server;

	private TestClient client;

	@BeforeEach
	void start() {
		// not the time of the machine
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.clock(Clock.fixed(Instant.parse("2100-01-01T00:00:00Z"), ZoneOffset.UTC))
			.start();
		this.client = new TestClient(this.server);
		for (String name : List.of("a", "b", "c")) {
			this.server.resources("widgets").create(Map.of("metadata", Map.of("name", name)));
		}
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	private TestClient.Answer list(String query, Fault fault) {
		this.server.fail(RecordedRequest::isList, 1, fault);
		return this.client.get(ALL + query);
	}

	private static String token(TestClient.Answer answer) {
		return answer.at("/metadata/continue");
	}

	@Test
	void w16_aPageWithoutItemsGoesOnWhereItWas() {
		TestClient.Answer first = list("?limit=2", ListFault.emptyPage());
		assertThat(first.json().path("items").isArray()).isTrue();
		assertThat(first.names()).isEmpty();
		assertThat(first.resourceVersion()).isEqualTo("4");
		assertThat(first.json().path("metadata").has("remainingItemCount")).isFalse();
		TestClient.Answer second = this.client.get(ALL + "?limit=2&continue=" + token(first));
		assertThat(second.names()).containsExactly("a", "b");
		TestClient.Answer third = list("?limit=2&continue=" + token(second), ListFault.emptyPage());
		assertThat(third.names()).isEmpty();
		assertThat(token(third)).isNotEmpty().isNotEqualTo(token(second));
		TestClient.Answer last = this.client.get(ALL + "?limit=2&continue=" + token(third));
		assertThat(last.names()).containsExactly("c");
		assertThat(token(last)).isEmpty();
	}

	@Test
	void pagesComeAgainForEver() {
		TestClient.Answer first = list("?limit=2", ListFault.repeatedToken());
		assertThat(first.names()).containsExactly("a", "b");
		for (int i = 0; i < 3; i++) {
			TestClient.Answer next = list("?limit=2&continue=" + token(first), ListFault.repeatedToken());
			assertThat(next.names()).containsExactly("a", "b");
			assertThat(token(next)).isEqualTo(token(first));
		}
	}

	@Test
	void theListIsAnother() {
		TestClient.Answer other = list("", ListFault.anotherKind("v1", "PodList", true));
		assertThat(other.at("/kind")).isEqualTo("PodList");
		assertThat(other.at("/apiVersion")).isEqualTo("v1");
		assertThat(other.json().path("items").isEmpty()).isTrue();
		TestClient.Answer none = list("", ListFault.anotherKind(null, null, false));
		assertThat(none.json().propertyNames()).containsExactly("metadata");
	}

	@Test
	void w16_itemsAreNull() {
		TestClient.Answer answer = list("", ListFault.nullItems());
		assertThat(answer.json().path("items").isNull()).isTrue();
		this.server.resources("widgets").delete("default", "a");
		// of the version of the first page
		assertThat(this.client.get(ALL + "?continue=" + token(answer)).names()).containsExactly("a", "b", "c");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "0", "a-17" })
	void w22_theVersionIsReplacedOrMissing(String version) {
		TestClient.Answer answer = list("?limit=1", ListFault.resourceVersion(version));
		assertThat(answer.json().path("metadata").has("resourceVersion")).isEqualTo(version != null);
		assertThat(answer.resourceVersion()).isEqualTo((version != null) ? version : "");
		assertThat(answer.names()).containsExactly("a");
		assertThat(this.client.get(ALL + "?continue=" + token(answer)).names()).containsExactly("b", "c");
	}

	@Test
	void faultsArePutTogether() {
		TestClient.Answer answer = list("", ListFault.resourceVersion("").and(ListFault.emptyPage()));
		assertThat(answer.resourceVersion()).isEmpty();
		assertThat(answer.names()).isEmpty();
		assertThat(this.client.get(ALL + "?continue=" + token(answer)).names()).containsExactly("a", "b", "c");
		assertThat(list("", EventFault.duplicate().and(ListFault.resourceVersion("0"))).names()).containsExactly("a",
				"a", "b", "c");
	}

	@Test
	void watchesAndFailuresAreLeftAsTheyAre() {
		this.server.fail(RecordedRequest::isWatch, 1, ListFault.emptyPage());
		try (TestClient.Stream watch = this.client.watch(ALL)) {
			assertThat(watch.event()).isEqualTo("ADDED a@2");
		}
		assertThat(list("?limit=x", ListFault.emptyPage()).status()).isEqualTo(400);
	}

	@Test
	void thereAreNoEventsToChooseFrom() {
		assertThatIllegalStateException().isThrownBy(() -> ListFault.nullItems().atEvent(1));
		assertThatIllegalStateException().isThrownBy(() -> ListFault.nullItems().fromEvent(1));
	}

}
