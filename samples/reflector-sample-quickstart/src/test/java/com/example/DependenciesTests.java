package com.example;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The list of dependencies in the guide, compared with what this application has on its
 * class path by the starter.
 */
class DependenciesTests {

	private static final Path PAGE = Path.of("..", "..", "docs", "dependencies.md");

	private static final Pattern NAME = Pattern.compile("`([^`]+)`");

	@Test
	void everyJarOfTheGuideIsOnTheClassPath() throws IOException {
		List<String> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((entry) -> Path.of(entry).toString())
			.toList();
		assertThat(documented()).hasSizeGreaterThan(20)
			.allSatisfy((name) -> assertThat(jars).as(name)
				.anyMatch((jar) -> jar.contains(File.separator + name + File.separator)
						|| Path.of(jar).getFileName().toString().startsWith(stem(name))));
	}

	@Test
	void whatTheConnectorAndTheStartersBringIsInTheGuide() throws IOException {
		List<String> documented = documented();
		assertThat(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((entry) -> Path.of(entry).getFileName().toString())
			.filter((jar) -> jar.startsWith("netty-") || jar.startsWith("reactor-") || jar.startsWith("spring-web")
					|| jar.startsWith("spring-boot-starter"))
			.map((jar) -> jar.replaceAll("-\\d.*", ""))
			.filter((jar) -> !jar.startsWith("spring-boot-starter-test"))).isNotEmpty()
			.allSatisfy((jar) -> assertThat(documented).anyMatch((name) -> name.startsWith(jar)));
	}

	private static String stem(String name) {
		// a classifier stands behind the version
		return name.replaceAll("-(linux|osx|windows)-.*", "");
	}

	private static List<String> documented() throws IOException {
		return Files.readAllLines(PAGE)
			.stream()
			.filter((line) -> line.startsWith("| ") && line.contains("`"))
			.flatMap((line) -> NAME.matcher(line).results().map((match) -> match.group(1)))
			.toList();
	}

}
