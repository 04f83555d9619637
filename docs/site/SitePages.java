import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prepares the pages for the Maven site: gives headings the anchors that code hosts give
 * them, copies files that pages link to, and makes the menu of the list in the README.
 * Run by {@code mvn -Psite} as {@code java SitePages.java ROOT OUTPUT}.
 */
public final class SitePages {

	private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\(([^)\\s#]+)((?:#[^)\\s]*)?)\\)");

	private static final Pattern LISTED = Pattern.compile("\\[([^\\]]+)]\\(([^)\\s#]+)\\.md\\)");

	private final Path root;

	private final Path output;

	private SitePages(Path root, Path output) {
		this.root = root;
		this.output = output;
	}

	public static void main(String[] args) throws IOException {
		new SitePages(Path.of(args[0]).toAbsolutePath().normalize(), Path.of(args[1])).write();
	}

	private void write() throws IOException {
		for (String folder : List.of("", "docs", "benchmarks", "benchmarks/results")) {
			try (Stream<Path> files = Files.list(this.root.resolve(folder))) {
				for (Path page : files.filter((file) -> file.toString().endsWith(".md")).toList()) {
					write(this.root.relativize(page).toString(), page);
				}
			}
		}
		write("index.md", this.root.resolve("README.md"));
		Files.writeString(this.output.resolve("site.xml"), menu());
	}

	private void write(String name, Path page) throws IOException {
		List<String> lines = new ArrayList<>();
		Map<String, Integer> times = new HashMap<>();
		boolean code = false;
		for (String line : Files.readAllLines(page)) {
			code ^= line.strip().startsWith("```");
			if (!code && line.matches("#+ .*")) {
				String anchor = line.replaceFirst("#+ +", "")
					.strip()
					.replaceAll("]\\([^)]*\\)", "")
					.toLowerCase(Locale.ROOT)
					.replaceAll("[^\\p{L}\\p{N}_ -]", "")
					.replace(' ', '-');
				int before = times.merge(anchor, 1, Integer::sum) - 1;
				// Doxia makes one itself, of the heading as it is
				if (before > 0 || !line.endsWith(" " + anchor)) {
					lines.add("<a id=\"" + ((before == 0) ? anchor : anchor + "-" + before) + "\"></a>");
					lines.add("");
				}
			}
			lines.add(code ? line : withFiles(line, page));
		}
		Path target = this.output.resolve("markdown").resolve(name);
		Files.createDirectories(target.getParent());
		Files.write(target, lines);
	}

	/** Brings along what a line links to; a folder is named, but not linked. */
	private String withFiles(String line, Path page) throws IOException {
		Matcher link = LINK.matcher(line);
		StringBuilder result = new StringBuilder();
		while (link.find()) {
			Path linked = page.resolveSibling(link.group(2)).normalize();
			boolean elsewhere = link.group(2).contains(":") || link.group(2).endsWith(".md");
			if (!elsewhere && Files.isRegularFile(linked)) {
				Path copy = this.output.resolve("resources").resolve(this.root.relativize(linked).toString());
				Files.createDirectories(copy.getParent());
				Files.copy(linked, copy, StandardCopyOption.REPLACE_EXISTING);
			}
			link.appendReplacement(result, Matcher.quoteReplacement(
					(!elsewhere && Files.isDirectory(linked)) ? link.group(1) : link.group()));
		}
		return link.appendTail(result).toString();
	}

	private String menu() throws IOException {
		String readme = Files.readString(this.root.resolve("README.md"));
		StringBuilder items = new StringBuilder();
		LISTED.matcher(readme.substring(readme.indexOf("## Read on")))
			.results()
			.forEach((item) -> items.append("\t\t\t<item name=\"")
				.append(item.group(1))
				.append("\" href=\"")
				.append(item.group(2))
				.append(".html\"/>\n"));
		return """
				<site xmlns="http://maven.apache.org/SITE/2.0.0" name="Reflector for Spring Boot">
					<skin>
						<groupId>org.apache.maven.skins</groupId>
						<artifactId>maven-fluido-skin</artifactId>
						<version>2.1.0</version>
					</skin>
					<custom>
						<fluidoSkin>
							<skipGenerationDate>true</skipGenerationDate>
						</fluidoSkin>
					</custom>
					<body>
						<menu name="Reflector">
							<item name="Overview" href="index.html"/>
				%s		</menu>
					</body>
				</site>
				""".formatted(items);
	}

}
