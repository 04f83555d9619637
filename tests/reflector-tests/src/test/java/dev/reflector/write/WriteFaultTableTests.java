package dev.reflector.write;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.fixture.SourceTree;
import dev.reflector.test.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/**
 * Each row of the table of failed writes in the guide is provoked over a socket, and the
 * exception says what the row says.
 */
class WriteFaultTableTests {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static WriterStage stage;

	@BeforeAll
	static void open() {
		stage = new WriterStage();
	}

	@AfterAll
	static void close() {
		stage.close();
	}

	private static Map<String, Provocation> provocations() {
		ResourceWriter writer = stage.writer;
		Map<String, Provocation> provocations = new LinkedHashMap<>();
		provocations.put("other managers own fields", (name) -> writer.apply(site(name, "b.example.com")));
		provocations.put("the object was deleted", (name) -> {
			SiteSettings settings = site(name, null);
			stage.sites.delete("default", name);
			writer.apply(settings);
		});
		provocations.put("others change the object all the time", (name) -> {
			stage.server.fail(WriterStage.WRITES, 9, Fault.status(409, "Conflict", "the object has been modified"));
			writer.apply(site(name, null));
		});
		provocations.put("`create` has found one of this name", (name) -> {
			stage.created(name);
			writer.create(SiteSettings.named(name, null, 1));
		});
		provocations.put("a permission is missing", (name) -> {
			stage.server.fail(WriterStage.WRITES, 1,
					Fault.status(403, "Forbidden", "User \"app\" cannot patch resource \"websites\""));
			writer.apply(SiteSettings.named(name, null, 1));
		});
		provocations.put("the server has no such type or namespace", (name) -> {
			stage.server.fail(WriterStage.WRITES, 1, Fault.status(404, "NotFound", "namespaces \"default\" not found"));
			writer.apply(SiteSettings.named(name, null, 1));
		});
		provocations.put("the schema does not have a field",
				(name) -> writer.apply(new WriteFailureTests.Misspelt(AppliedMeta.named("default", name),
						new WriteFailureTests.Misspelt.Spec(1))));
		provocations.put("the last entry of a map was given up", (name) -> {
			AppliedMeta metadata = AppliedMeta.named("default", name);
			stage.sites.managedBy("kubectl")
				.create("{\"metadata\": {\"name\": \"" + name + "\"}, \"spec\": {\"options\": {}}}");
			writer.apply(new SiteSettings(metadata, new SiteSettings.Spec(null, 1, null, Map.of("cache", "on"))));
			writer.apply(new SiteSettings(metadata, new SiteSettings.Spec(null, 1, null, null)));
		});
		provocations.put("the object is too large", (name) -> {
			stage.server.fail(WriterStage.WRITES, 1, Fault.status(413));
			writer.apply(SiteSettings.named(name, null, 1));
		});
		provocations.put("the server throttles for longer than the timeout", (name) -> {
			stage.server.fail(WriterStage.WRITES, 1, Fault.status(429).withRetryAfter(60));
			writer.apply(SiteSettings.named(name, null, 1));
		});
		provocations.put("the answer to a write without a uid was lost", (name) -> {
			stage.server.fail(WriterStage.WRITES, 1, Fault.truncate(0));
			writer.create(SiteSettings.named(name, null, 1));
		});
		provocations.put("nothing mirrors what was written",
				(name) -> stage.writerWithoutMirror()
					.apply(SiteSettings.named(name, null, 1))
					.awaitMirrored(Duration.ZERO));
		return provocations;
	}

	private static SiteSettings site(String name, String host) {
		return SiteSettings.of(stage.created(name), host, 1);
	}

	@Test
	void theTableHasExactlyTheProvokedRows() throws IOException {
		assertThat(rows()).extracting(Row::fault).containsExactlyInAnyOrderElementsOf(provocations().keySet());
	}

	@TestFactory
	Stream<DynamicTest> saysWhatTheRowSays() throws IOException {
		Map<String, Provocation> provocations = provocations();
		return rows().stream().map((row) -> dynamicTest(row.fault(), () -> {
			String name = "r" + rows().indexOf(row);
			assertThatException().isThrownBy(() -> provocations.get(row.fault()).provoke(name))
				.satisfies((ex) -> assertThat(ex).hasMessageFindingMatch(row.expression()));
			stage.server.clearFaults();
		}));
	}

	private static List<Row> rows() throws IOException {
		String page = Files.readString(SourceTree.ROOT.resolve("docs/faults.md"));
		String table = page.substring(page.indexOf("<!-- failed writes -->"),
				page.indexOf("<!-- end of failed writes -->"));
		return table.lines().filter((line) -> line.startsWith("|")).skip(2).map(Row::of).toList();
	}

	/**
	 * Brings a fault about, with an object of this name.
	 */
	@FunctionalInterface
	private interface Provocation {

		void provoke(String name) throws Exception;

	}

	/**
	 * A row.
	 *
	 * @param message the message, with an ellipsis for what differs
	 * @param fault what happens
	 */
	private record Row(String message, String fault) {

		static Row of(String line) {
			List<String> cells = Arrays.stream(line.split("(?<!\\\\)\\|")).map(String::trim).skip(1).toList();
			assertThat(cells).as("cells of the row '%s'", line).hasSize(3).noneMatch(String::isEmpty);
			Matcher message = CODE.matcher(cells.get(0));
			assertThat(message.matches()).as("the message of the row '%s'", line).isTrue();
			return new Row(message.group(1), cells.get(1));
		}

		String expression() {
			return Arrays.stream(this.message.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
		}

	}

}
