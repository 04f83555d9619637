import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Looks at a Maven repository with all that would be published. Arguments: the folder,
 * the version, and the modules with commas between them. Prints what it has checked, and
 * ends with 1 if something is wrong.
 */
final class ReleaseCheck {

	private static final String BOM = "reflector-bom";

	private static final String STARTER = "reflector-spring-boot-starter";

	/** Elements that an application has no use for, or that change its build. */
	private static final List<String> BUILD_ONLY = List.of("parent", "properties", "modules", "build", "profiles",
			"repositories", "pluginRepositories", "distributionManagement", "reporting");

	private final List<String> mistakes = new ArrayList<>();

	private final Path group;

	private final String version;

	private final Set<String> modules;

	private int files;

	private ReleaseCheck(Path repository, String version, Set<String> modules) {
		this.group = repository.resolve("dev/reflector");
		this.version = version;
		this.modules = modules;
	}

	public static void main(String[] args) throws Exception {
		ReleaseCheck check = new ReleaseCheck(Path.of(args[0]), args[1], new TreeSet<>(Set.of(args[2].split(","))));
		check.run();
		if (!check.mistakes.isEmpty()) {
			check.mistakes.forEach((mistake) -> System.err.println("rehearse: " + mistake));
			System.exit(1);
		}
	}

	private void run() throws Exception {
		List<Path> others = filesIn(this.group.getParent().getParent(),
				(path) -> !path.startsWith(this.group) && Files.isRegularFile(path));
		require(others.isEmpty(), "the repository has files of others: " + others);
		Set<String> published = names(this.group);
		require(published.equals(this.modules), "published are " + published + " instead of " + this.modules);
		for (String module : published) {
			module(module);
		}
		if (this.mistakes.isEmpty()) {
			System.out.println("rehearse: published are these, and no test or sample: " + String.join(", ", published));
			System.out.println("rehearse: each has a POM and a list of its contents (CycloneDX), and each but the BOM a jar, "
					+ "sources and Javadoc; " + this.files + " files in all");
			System.out.println("rehearse: POMs have all that Maven Central wants, no parent, no placeholder, nothing of the "
					+ "build or of tests, no snapshot, and a version of each dependency; the BOM has the eight modules");
			System.out.println("rehearse: each jar has the license and the notice, and no test");
		}
	}

	private void module(String module) throws Exception {
		Path folder = this.group.resolve(module).resolve(this.version);
		Set<String> expected = new TreeSet<>();
		expected.add(module + "-" + this.version + ".pom");
		expected.add(module + "-" + this.version + "-cyclonedx.json");
		if (!module.equals(BOM)) {
			expected.add(module + "-" + this.version + ".jar");
			expected.add(module + "-" + this.version + "-sources.jar");
			expected.add(module + "-" + this.version + "-javadoc.jar");
		}
		Set<String> found = names(folder).stream()
			.filter((name) -> !name.endsWith(".md5") && !name.endsWith(".sha1"))
			.collect(Collectors.toCollection(TreeSet::new));
		require(found.equals(expected), module + " has " + found + " instead of " + expected);
		if (!found.equals(expected)) {
			return;
		}
		this.files += found.size();
		String start = module + "-" + this.version;
		pom(module, folder.resolve(start + ".pom"));
		String contents = Files.readString(folder.resolve(start + "-cyclonedx.json"));
		require(contents.contains("\"CycloneDX\"")
				&& contents.contains("\"pkg:maven/dev.reflector/" + module + "@" + this.version),
				module + ": the list of contents is not of this module");
		if (!module.equals(BOM)) {
			jar(module, folder.resolve(start + ".jar"), STARTER.equals(module) ? null : ".class");
			jar(module, folder.resolve(start + "-sources.jar"), STARTER.equals(module) ? null : ".java");
			jar(module, folder.resolve(start + "-javadoc.jar"), STARTER.equals(module) ? null : "/package-summary.html");
		}
	}

	private void pom(String module, Path file) throws Exception {
		String text = Files.readString(file);
		require(!text.contains("${"), module + ": the POM has a placeholder");
		require(!text.contains("-SNAPSHOT"), module + ": the POM names a snapshot");
		DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
		factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
		Document document;
		try (InputStream in = Files.newInputStream(file)) {
			document = factory.newDocumentBuilder().parse(in);
		}
		Element project = document.getDocumentElement();
		for (String path : List.of("groupId", "artifactId", "version", "name", "description", "url",
				"licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/connection",
				"scm/url")) {
			require(!text(project, path).isBlank(), module + ": the POM has no " + path);
		}
		require(text(project, "artifactId").equals(module) && text(project, "version").equals(this.version),
				module + ": the POM is of another artifact");
		for (String element : BUILD_ONLY) {
			require(child(project, element) == null, module + ": the POM has <" + element + ">");
		}
		Element management = child(project, "dependencyManagement");
		if (module.equals(BOM)) {
			Set<String> managed = dependencies(management).stream()
				.map((dependency) -> text(dependency, "groupId") + ":" + text(dependency, "artifactId") + ":"
						+ text(dependency, "version"))
				.collect(Collectors.toCollection(TreeSet::new));
			Set<String> all = this.modules.stream()
				.filter((name) -> !name.equals(BOM))
				.map((name) -> "dev.reflector:" + name + ":" + this.version)
				.collect(Collectors.toCollection(TreeSet::new));
			require(managed.equals(all), "the BOM manages " + managed.size() + " artifacts, and not just " + all);
		}
		else {
			require(management == null, module + ": the POM has <dependencyManagement>");
		}
		for (Element dependency : dependencies(project)) {
			String name = text(dependency, "groupId") + ":" + text(dependency, "artifactId");
			require(!text(dependency, "version").isBlank(), module + ": " + name + " has no version");
			require(Set.of("", "compile", "runtime").contains(text(dependency, "scope")),
					module + ": " + name + " has the scope " + text(dependency, "scope"));
		}
	}

	private void jar(String module, Path file, String content) throws IOException {
		try (ZipFile jar = new ZipFile(file.toFile())) {
			List<String> entries = jar.stream().map(ZipEntry::getName).toList();
			if (!file.toString().endsWith("-javadoc.jar")) {
				require(entries.contains("META-INF/LICENSE") && entries.contains("META-INF/NOTICE"),
						file.getFileName() + " has no license or no notice");
			}
			require(content == null || entries.stream().anyMatch((name) -> name.endsWith(content)),
					file.getFileName() + " has no *" + content);
			require(entries.stream().noneMatch((name) -> name.matches(".*Tests(\\$.*)?\\.(class|java)")),
					file.getFileName() + " has tests");
		}
	}

	private void require(boolean condition, String mistake) {
		if (!condition) {
			this.mistakes.add(mistake);
		}
	}

	private static List<Path> filesIn(Path folder, Predicate<Path> filter) throws IOException {
		try (Stream<Path> paths = Files.walk(folder)) {
			return paths.filter(filter).toList();
		}
	}

	private static Set<String> names(Path folder) throws IOException {
		try (Stream<Path> paths = Files.list(folder)) {
			return paths.map((path) -> path.getFileName().toString())
				.filter((name) -> !name.startsWith("maven-metadata"))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	private static List<Element> dependencies(Element parent) {
		Element dependencies = (parent != null) ? child(parent, "dependencies") : null;
		return (dependencies != null) ? children(dependencies, "dependency") : List.of();
	}

	private static String text(Element parent, String path) {
		Element element = parent;
		for (String name : path.split("/")) {
			element = (element != null) ? child(element, name) : null;
		}
		return (element != null) ? element.getTextContent().strip() : "";
	}

	private static Element child(Element parent, String name) {
		return children(parent, name).stream().findFirst().orElse(null);
	}

	private static List<Element> children(Element parent, String name) {
		List<Element> children = new ArrayList<>();
		for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
			if (node instanceof Element element && element.getTagName().equals(name)) {
				children.add(element);
			}
		}
		return children;
	}

}
