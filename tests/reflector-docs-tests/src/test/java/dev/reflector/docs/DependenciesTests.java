package dev.reflector.docs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The list of dependencies in the guide, compared with what an application has on its
 * class path by the starter alone. Jars with native code are the same on every platform:
 * Netty names them itself.
 */
class DependenciesTests {

	private static final Path PAGE = Path.of("..", "..", "docs", "dependencies.md");

	private static final List<String> LIBRARY = List.of("reflector-core", "reflector-client",
			"reflector-spring-boot-autoconfigure");

	/**
	 * The class path of an application with the starter, which the build of the starter
	 * writes down.
	 */
	private static final Path CLASS_PATH = Path.of("..", "..", "reflector-spring-boot-starter", "target",
			"runtime-class-path");

	private static final Pattern VERSION = Pattern.compile("with Spring Boot ([^\\s,]+), in kB");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| (\\d+) \\|$");

	private static final Pattern NAME = Pattern.compile("`([^`]+)`");

	/**
	 * How much the library may have grown. Other libraries stay the same until their
	 * version changes.
	 */
	private static final Percentage GROWTH = withinPercentage(10);

	private static final Percentage ROUNDING = withinPercentage(1);

	@BeforeEach
	void onlyOneVersionIsDescribed() throws IOException {
		Matcher version = VERSION.matcher(Files.readString(PAGE));
		assertThat(version.find()).isTrue();
		assumeThat(SpringBootVersion.getVersion()).as("the version of Spring Boot that the page is about")
			.isEqualTo(version.group(1));
	}

	@Test
	void theGuideNamesTheJarsThatTheStarterBringsAndNoOther() throws IOException {
		assertThat(rows().stream().flatMap((row) -> row.jars().stream())).hasSizeGreaterThan(20)
			.containsExactlyInAnyOrderElementsOf(jars().keySet());
	}

	@Test
	void theGuideTellsTheirSizes() throws IOException {
		Map<String, Long> jars = jars();
		List<Row> rows = rows();
		long total = 0;
		for (Row row : rows) {
			long bytes = row.jars().stream().map(jars::get).filter(Objects::nonNull).mapToLong(Long::longValue).sum();
			// without a jar yet, which is made after the tests of its module
			boolean library = row.jars().containsAll(LIBRARY);
			boolean unpackaged = library && LIBRARY.stream().anyMatch((module) -> jars.get(module) == 0);
			total += unpackaged ? row.kilobytes() * 1000 : bytes;
			if (!unpackaged) {
				assertThat(bytes / 1000).as(row.part()).isCloseTo(row.kilobytes(), library ? GROWTH : ROUNDING);
			}
		}
		Matcher all = Pattern.compile("\\| \\*\\*all\\*\\* \\| (\\d+) \\| (\\d+) \\|").matcher(Files.readString(PAGE));
		assertThat(all.find()).isTrue();
		assertThat(jars).hasSize(Integer.parseInt(all.group(1)));
		assertThat(total / 1000).isCloseTo(Long.parseLong(all.group(2)), ROUNDING);
	}

	/** Bytes by name; none of what is a folder. */
	private static Map<String, Long> jars() throws IOException {
		return Stream.of(Files.readString(CLASS_PATH).strip().split(File.pathSeparator))
			.map(Path::of)
			.collect(Collectors.toMap(DependenciesTests::name, DependenciesTests::size));
	}

	/** The artifact, and its classifier if it has one. */
	private static String name(Path entry) {
		Optional<String> module = LIBRARY.stream().filter((name) -> isOf(name, entry)).findFirst();
		if (module.isPresent()) {
			return module.get();
		}
		// as in any Maven repository: artifact/version/artifact-version[-classifier].jar
		String version = entry.getParent().getFileName().toString();
		return entry.getFileName().toString().replace("-" + version, "").replaceAll("\\.jar$", "");
	}

	private static boolean isOf(String module, Path entry) {
		return Stream.iterate(entry, Objects::nonNull, Path::getParent).anyMatch((path) -> path.endsWith(module));
	}

	private static long size(Path entry) {
		return Files.isDirectory(entry) ? 0 : entry.toFile().length();
	}

	private static List<Row> rows() throws IOException {
		return ROW.matcher(Files.readString(PAGE))
			.results()
			.filter((row) -> row.group(2).startsWith("`"))
			.map((row) -> new Row(row.group(1),
					NAME.matcher(row.group(2)).results().map((name) -> name.group(1)).toList(),
					Long.parseLong(row.group(3))))
			.toList();
	}

	private record Row(String part, List<String> jars, long kilobytes) {

	}

}
