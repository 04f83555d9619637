package com.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page with the walk-through, read like a user who copies its code blocks.
 */
final class StartPage {

	private static final Path PAGE = Path.of("..", "..", "docs", "start.md");

	/** Text, and then the block that belongs to it. */
	private static final Pattern BLOCK = Pattern.compile("(?s)(.*?)\\n```(\\w*)\\n(.*?)```\\n");

	private static final Pattern FILE = Pattern.compile("`([\\w/.-]+\\.(?:java|xml|properties|yaml|gradle))`");

	private final List<MatchResult> blocks;

	private StartPage(String text) {
		this.blocks = BLOCK.matcher(text).results().toList();
	}

	static StartPage read() throws IOException {
		return new StartPage(Files.readString(PAGE));
	}

	/**
	 * Returns the content of each file, by its path: the last path that is named before a
	 * block.
	 */
	Map<String, String> files() {
		Map<String, String> files = new LinkedHashMap<>();
		for (MatchResult block : this.blocks) {
			Matcher names = FILE.matcher(block.group(1));
			String name = "";
			while (names.find()) {
				name = names.group(1);
			}
			if (!block.group(2).isEmpty() && !block.group(2).equals("shell")) {
				files.merge(name, block.group(3), (first, second) -> {
					throw new IllegalStateException("two blocks for " + names);
				});
			}
		}
		return files;
	}

	/** The commands of the block that has this in it. */
	String commands(String containing) {
		return block("shell", containing);
	}

	/** The lines of output that have this in one of them. */
	List<String> output(String containing) {
		return block("", containing).lines().toList();
	}

	private String block(String language, String containing) {
		return this.blocks.stream()
			.filter((block) -> block.group(2).equals(language) && block.group(3).contains(containing))
			.map((block) -> block.group(3))
			.findFirst()
			.orElseThrow(() -> new AssertionError("no block with " + containing));
	}

}
