package com.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page has the files of this module, which its build compiles and tests, and build
 * files with the same dependencies.
 */
class StartPageTests {

	private static final Pattern DEPENDENCY = Pattern
		.compile("(?s)<dependency>\\s*<groupId>(.*?)</groupId>\\s*<artifactId>(.*?)</artifactId>(.*?)</dependency>");

	private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");

	private static final Pattern GRADLE = Pattern.compile("(?m)^\t(implementation|testImplementation) '(.*)'$");

	/** Files of this module that are no part of the walk-through. */
	private static final Set<String> OURS = Set.of("package-info.java", "StartPage.java", "StartPageTests.java",
			"StartWalkTests.java", "StartManifestTests.java");

	private final Map<String, String> files = StartPage.read().files();

	StartPageTests() throws IOException {
	}

	@Test
	void thePageHasTheFilesOfThisModule() throws IOException {
		try (Stream<Path> sources = Files.walk(Path.of("src"))) {
			List<String> expected = sources.filter(Files::isRegularFile)
				.filter((file) -> !OURS.contains(file.getFileName().toString()))
				.map((file) -> file.toString().replace('\\', '/'))
				.toList();
			assertThat(this.files.keySet()).filteredOn((name) -> name.startsWith("src/"))
				.containsExactlyInAnyOrderElementsOf(expected);
		}
		assertThat(this.files.keySet()).filteredOn((name) -> !name.startsWith("src/"))
			.containsExactlyInAnyOrder("pom.xml", "build.gradle", "settings.gradle", "demo.yaml");
		for (Map.Entry<String, String> file : this.files.entrySet()) {
			if (file.getKey().startsWith("src/") || file.getKey().equals("demo.yaml")) {
				assertThat(file.getValue()).as(file.getKey()).isEqualTo(Files.readString(Path.of(file.getKey())));
			}
		}
	}

	@Test
	void thePomHasTheDependenciesOfThisModule() throws IOException {
		assertThat(dependencies(this.files.get("pom.xml")).keySet()).hasSize(4)
			.isEqualTo(dependencies(Files.readString(Path.of("pom.xml"))).keySet());
	}

	@Test
	void thePomNamesTheVersionsOfThisBuild() throws IOException {
		String pom = this.files.get("pom.xml");
		assertThat(pom)
			.containsPattern("<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>"
					+ Pattern.quote(ofTheBuild("<spring-boot.version>(.*?)<")) + "</version>")
			.contains("<netty.version>" + ofTheBuild("<netty.version>(.*?)<") + "</netty.version>");
		String own = ofTheBuild("<artifactId>reflector-spring-boot-parent</artifactId>\\s*<version>(.*?)<");
		assertThat(dependencies(pom)).allSatisfy(
				(name, version) -> assertThat(version).as(name).isEqualTo(name.contains("dev.reflector:") ? own : ""));
	}

	@Test
	void theGradleBuildIsThatOfThePom() throws IOException {
		String gradle = this.files.get("build.gradle");
		String boot = ofTheBuild("<spring-boot.version>(.*?)<");
		assertThat(gradle).contains("id 'org.springframework.boot' version '" + boot + "'")
			.contains("group = 'com.example'\nversion = '1.0'\n")
			.contains("platform(org.springframework.boot.gradle.plugin.SpringBootPlugin.BOM_COORDINATES)");
		assertThat(this.files.get("settings.gradle")).isEqualTo("rootProject.name = 'demo'\n");
		assertThat(this.files.get("pom.xml"))
			.contains("<groupId>com.example</groupId>\n\t<artifactId>demo</artifactId>\n\t<version>1.0</version>");
		List<String> expected = dependencies(this.files.get("pom.xml")).entrySet()
			.stream()
			.map((entry) -> entry.getKey() + (entry.getValue().isEmpty() ? "" : ":" + entry.getValue()))
			.toList();
		assertThat(GRADLE.matcher(gradle).results().map((line) -> line.group(1) + " " + line.group(2)))
			.containsExactlyInAnyOrderElementsOf(expected);
	}

	/** Versions, or nothing, by how Gradle says the scope and the name. */
	private static Map<String, String> dependencies(String pom) {
		return DEPENDENCY.matcher(pom).results().collect(Collectors.toMap((dependency) -> {
			boolean test = dependency.group(3).contains("<scope>test</scope>");
			return (test ? "testImplementation " : "implementation ") + dependency.group(1) + ":" + dependency.group(2);
		}, (dependency) -> {
			Matcher version = VERSION.matcher(dependency.group(3));
			return version.find() ? version.group(1) : "";
		}));
	}

	private static String ofTheBuild(String pattern) throws IOException {
		Matcher found = Pattern.compile(pattern).matcher(Files.readString(Path.of("..", "..", "pom.xml")));
		assertThat(found.find()).isTrue();
		return found.group(1);
	}

}
