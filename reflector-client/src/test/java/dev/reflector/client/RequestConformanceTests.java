package dev.reflector.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CollectionUris;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the requests that are sent, and of those that must never be sent (C-406 to
 * C-412, C-424 to C-428).
 */
class RequestConformanceTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final ResourceType FLIPS = ResourceType.of("flops/v1alpha1", "Flip", "flips");

	private static final Set<String> KNOWN = Set.of("labelSelector", "fieldSelector", "limit", "continue",
			"resourceVersion", "resourceVersionMatch", "watch", "allowWatchBookmarks", "sendInitialEvents",
			"timeoutSeconds");

	private final CollectionUris uris = new CollectionUris(URI.create("https://host"), FLIPS, "", "");

	private static ListerWatcher<Widget> flips(RawServer server) {
		return Clients.client(server.uri(), Clients.OPTIONS)
			.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class), FLIPS, "", "");
	}

	@Test
	void c424_c427_goldenList() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			flips(server).list(new ListOptions("mops", "42", 0, "")).block(LIMIT);
			assertThat(server.requests()).singleElement().satisfies((request) -> {
				assertThat(request.target()).isEqualTo("/apis/flops/v1alpha1/namespaces/mops/flips?resourceVersion=42");
				assertThat(request.headers()).containsEntry("accept", "application/json")
					.containsEntry("accept-encoding", "identity")
					.doesNotContainKeys("content-type", "content-length");
			});
		}
	}

	@Test
	void c425_c427_goldenWatch() throws IOException {
		try (RawServer server = RawServer.answering("")) {
			flips(server).watch(new WatchOptions("mops", "42", Duration.ZERO, false, false)).blockLast(LIMIT);
			assertThat(server.requests()).singleElement().satisfies((request) -> {
				assertThat(request.target())
					.isEqualTo("/apis/flops/v1alpha1/namespaces/mops/flips?resourceVersion=42&watch=true");
				assertThat(request.headers()).containsEntry("accept", "application/json")
					.containsEntry("accept-encoding", "identity");
			});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void c426_c428_onlyRequestedOptionsBecomeParameters(boolean bookmarks) {
		assertThat(query(this.uris.list("flips", new ListOptions(null, "1", 0, ""))))
			.containsOnlyKeys("resourceVersion");
		Map<String, String> watch = query(
				this.uris.watch("flips", new WatchOptions(null, "2", Duration.ofSeconds(21), bookmarks, false)));
		assertThat(watch).containsEntry("resourceVersion", "2").containsEntry("timeoutSeconds", "21");
		assertThat(watch.containsKey("allowWatchBookmarks")).isEqualTo(bookmarks);
		assertThat(watch).doesNotContainKeys("timeout", "limit", "sendInitialEvents", "resourceVersionMatch");
	}

	@Test
	void c406_everyListThatCanBeAskedForIsLegal() {
		int requests = 0;
		for (String version : List.of("", "0", "1")) {
			for (int limit : new int[] { -1, 0, 1, 500 }) {
				for (String token : version.isEmpty() ? List.of("", "C1") : List.of("")) {
					ListOptions options = new ListOptions(null, version, limit, token);
					assertThat(problems(query(this.uris.list("flips", options)))).as(options.toString()).isEmpty();
					requests++;
				}
			}
		}
		assertThat(requests).isEqualTo(16);
	}

	@Test
	void c407_w06_aVersionTogetherWithATokenIsRefused() {
		for (String version : List.of("0", "1")) {
			assertThatIllegalArgumentException().isThrownBy(() -> new ListOptions(null, version, 500, "C1"))
				.withMessageContaining("'resourceVersion' is not allowed together with 'continueToken'");
		}
	}

	@Test
	void c408_c412_everyWatchThatCanBeAskedForIsLegal() {
		int requests = 0;
		for (String version : List.of("", "0", "1")) {
			for (boolean bookmarks : new boolean[] { true, false }) {
				for (boolean initialEvents : new boolean[] { true, false }) {
					WatchOptions options = new WatchOptions(null, version, Duration.ofMinutes(5), bookmarks,
							initialEvents);
					Map<String, String> query = query(this.uris.watch("flips", options));
					assertThat(problems(query)).as(options.toString()).isEmpty();
					assertThat(query.containsKey("sendInitialEvents")).isEqualTo(initialEvents);
					requests++;
				}
			}
		}
		assertThat(requests).isEqualTo(12);
	}

	@ParameterizedTest
	@ValueSource(strings = { "resourceVersion=0&resourceVersionMatch=Exact", "resourceVersionMatch=NotOlderThan",
			"resourceVersion=1&resourceVersionMatch=foo", "sendInitialEvents=true", "resourceVersion=1&continue=C",
			"watch=true&resourceVersion=1&resourceVersionMatch=NotOlderThan",
			"watch=true&sendInitialEvents=true&allowWatchBookmarks=true", "watch=true&sendInitialEvents=false",
			"watch=true&sendInitialEvents=true&resourceVersionMatch=Exact",
			"watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
			"watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&continue=C",
			"watch=true&limit=5", "other=1" })
	void illegalRequestsWouldBeNoticed(String query) {
		assertThat(problems(query(query))).isNotEmpty();
	}

	/** Rules W-06 and W-07, as a server checks them. */
	private static List<String> problems(Map<String, String> query) {
		List<String> problems = new ArrayList<>();
		String version = query.getOrDefault("resourceVersion", "");
		String match = query.get("resourceVersionMatch");
		String initialEvents = query.get("sendInitialEvents");
		boolean token = query.containsKey("continue");
		check(problems, KNOWN.containsAll(query.keySet()), "an unknown parameter");
		check(problems, query.values().stream().noneMatch(String::isEmpty), "an empty parameter");
		check(problems, match == null || match.equals("Exact") || match.equals("NotOlderThan"), "an unknown match");
		if (query.containsKey("watch")) {
			check(problems, !token && !query.containsKey("limit"), "pages of a watch");
			check(problems, (match == null) == (initialEvents == null), "one of match and initial events");
			check(problems, initialEvents == null || "NotOlderThan".equals(match), "initial events with another match");
			check(problems, !"true".equals(initialEvents) || "true".equals(query.get("allowWatchBookmarks")),
					"no end marker is promised");
		}
		else {
			check(problems, initialEvents == null, "initial events of a list");
			check(problems, !token || version.isEmpty() && match == null, "a version or match with a token");
			check(problems, match == null || !version.isEmpty(), "a match without a version");
			check(problems, !"Exact".equals(match) || !version.equals("0"), "exactly any version");
		}
		return problems;
	}

	private static void check(List<String> problems, boolean legal, String problem) {
		if (!legal) {
			problems.add(problem);
		}
	}

	private static Map<String, String> query(ApiRequest request) {
		return query(request.uri().getRawQuery());
	}

	private static Map<String, String> query(String text) {
		Map<String, String> query = new TreeMap<>();
		if (text != null) {
			for (String parameter : text.split("&")) {
				String[] parts = parameter.split("=", 2);
				assertThat(query.put(parts[0], parts[1])).as("twice: %s", parts[0]).isNull();
			}
		}
		return query;
	}

}
