package dev.reflector.client.internal.exchange;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WarningLog} (W-57).
 */
@ExtendWith(OutputCaptureExtension.class)
class WarningLogTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final WarningLog warnings = new WarningLog();

	private final ApiRequest request = new CollectionUris(URI.create("https://host"), Clients.WIDGETS, "", "")
		.list("widgets", Clients.list());

	private void note(String... values) {
		HttpHeaders headers = new HttpHeaders();
		for (String value : values) {
			headers.add(HttpHeaders.WARNING, value);
		}
		this.warnings.note(this.request, headers, Redaction.of(Optional.of("a/secret+z")));
	}

	@Test
	void w57_aWarningIsLoggedOnceForAllRequests(CapturedOutput output) throws IOException {
		RawServer.Script script = (request, connection) -> {
			boolean failure = request.target().contains("watch=true");
			connection.head(failure ? 403 : 200, "Content-Type: application/json", "Connection: close",
					"Warning: 299 - \"example.com/v1 Widget is deprecated\"");
			connection.write("{\"items\":[]}");
		};
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Widget> widgets = Clients.widgets(server);
			widgets.watch(Clients.watch()).onErrorComplete().blockLast(LIMIT);
			widgets.list(Clients.list()).block(LIMIT);
			widgets.list(Clients.list()).block(LIMIT);
			assertThat(server.requests()).hasSize(3);
		}
		assertThat(output).containsOnlyOnce("example.com/v1 Widget is deprecated")
			.contains("GET /apis/example.com/v1/widgets (watch): the server warns: ");
	}

	@Test
	void w57_readsSeveralWarningsAndTheirEscapes(CapturedOutput output) {
		note("299 - \"one, \\\"quoted\\\"\", 299 - \"two\"", "299 agent \"three\" \"Sat, 21 Nov 2026 10:00:00 GMT\"");
		assertThat(output).contains("warns: one, \"quoted\"")
			.contains("warns: two")
			.contains("warns: three")
			.doesNotContain("2026 10:00:00 GMT");
	}

	@Test
	void doesNotLogTheTokenThatTheServerQuotes(CapturedOutput output) {
		note("299 - \"quoted Bearer a/secret+z, a%2Fsecret%2Bz\"");
		assertThat(output).contains("warns: quoted Bearer ***, ***").doesNotContain("secret");
	}

	@Test
	void w57_otherCodesAndInvalidHeadersAreNotLogged(CapturedOutput output) {
		note("110 anderson/1.3.37 \"Response is stale\"", "299 - open \"end", "", "299 - \"" + "\\".repeat(50_001));
		assertThat(output).doesNotContain("the server warns");
	}

	@Test
	void w57_aTalkativeServerFillsNeitherLogNorLines(CapturedOutput output) {
		for (int i = 0; i < 150; i++) {
			note("299 - \"number " + i + " " + "x".repeat(20_000) + "\"");
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("the server warns"))).hasSize(100)
			.allSatisfy((line) -> assertThat(line).hasSizeLessThan(1000));
		assertThat(output).doesNotContain("number 100 ");
	}

}
