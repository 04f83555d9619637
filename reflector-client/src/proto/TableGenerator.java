import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Generates the table of field numbers that is used to read objects in protobuf.
 *
 * <pre>
 * java reflector-client/src/proto/TableGenerator.java VERSION API APIMACHINERY
 * APIEXTENSIONS \     &gt;
 * reflector-client/src/main/resources/dev/reflector/client/internal/proto/kubernetes.table
 * </pre>
 *
 * VERSION is the origin that the table names. The other arguments are checkouts of
 * kubernetes/api, kubernetes/apimachinery and kubernetes/apiextensions-apiserver at that
 * version. Field numbers and types come from the files {@code generated.proto}. What
 * these do not say comes from the Go types beside them: the names in JSON, which fields
 * JSON leaves out when they are zero, and which are parts of the object around them. The
 * generator stops where the two do not agree, and where it meets a type that it does not
 * know. The build does not run it: the table is committed.
 */
final class TableGenerator {

	private static final List<String> GROUPS = List.of("core/v1", "admissionregistration/v1", "apps/v1",
			"autoscaling/v1", "autoscaling/v2", "batch/v1", "certificates/v1", "coordination/v1", "discovery/v1",
			"events/v1", "flowcontrol/v1", "networking/v1", "node/v1", "policy/v1", "rbac/v1", "resource/v1",
			"scheduling/v1", "storage/v1");

	/** Types whose JSON form does not consist of their fields. */
	private static final Map<String, String> SPECIAL = Map.of("meta.v1.Time", "T", "meta.v1.MicroTime", "U",
			"resource.Quantity", "Q", "intstr.IntOrString", "I", "meta.v1.FieldsV1", "J", "runtime.RawExtension", "J",
			"apiextensions.v1.JSON", "J");

	private static final Map<String, String> SCALARS = Map.of("string", "s", "bool", "b", "int32", "i", "int64", "l",
			"double", "d", "bytes", "y");

	private static final Pattern MESSAGE = Pattern.compile("message (\\w+) \\{");

	private static final Pattern FIELD = Pattern
		.compile("  (optional |repeated |)(map<string, ([\\w.]+)>|[\\w.]+) (\\w+) = (\\d+);");

	private static final Pattern STRUCT = Pattern.compile("type (\\w+) struct \\{");

	private static final Pattern SLICE = Pattern.compile("type (\\w+) \\[\\]string");

	private static final Pattern GO_FIELD = Pattern
		.compile("\\s+(?:\\w+\\s+)?(\\S+)\\s+`(?=.*json:\"([^\"]*)\")(?=.*protobuf:\"\\w+,(\\d+),[^\"]*\").*`.*");

	/** Messages by name, with their fields as lines of the table. */
	private final Map<String, Map<String, String>> messages = new TreeMap<>();

	/** The messages that the fields of a message refer to. */
	private final Map<String, List<String>> references = new HashMap<>();

	/** Messages whose JSON form is that of their last field. */
	private final TreeSet<String> chosen = new TreeSet<>();

	/** Messages without a Go type of the same name. */
	private final TreeSet<String> unknown = new TreeSet<>();

	private final Map<String, String> groups = new LinkedHashMap<>();

	public static void main(String[] args) throws IOException {
		Path api = Path.of(args[1]);
		Path meta = Path.of(args[2]).resolve("pkg/apis/meta/v1");
		Path extensions = Path.of(args[3]).resolve("pkg/apis/apiextensions/v1");
		TableGenerator generator = new TableGenerator();
		generator.read("meta.v1", meta);
		for (String group : GROUPS) {
			generator.readGroup(group.replace('/', '.'), api.resolve(group));
		}
		generator.readGroup("apiextensions.v1", extensions);
		generator.print(args[0]);
	}

	private void readGroup(String name, Path directory) throws IOException {
		String register = Files.readString(directory.resolve("register.go"));
		Matcher group = Pattern.compile("const GroupName = \"(.*)\"").matcher(register);
		check(group.find(), "no group in " + directory);
		String version = name.substring(name.indexOf('.') + 1);
		this.groups.put(name, group.group(1).isEmpty() ? version : group.group(1) + "/" + version);
		read(name, directory);
	}

	private void read(String group, Path directory) throws IOException {
		GoTypes types = GoTypes.of(directory);
		String message = null;
		Map<String, String> fields = new LinkedHashMap<>();
		for (String line : Files.readAllLines(directory.resolve("generated.proto"))) {
			Matcher begin = MESSAGE.matcher(line);
			Matcher field = FIELD.matcher(line);
			if (begin.matches()) {
				message = begin.group(1);
				fields = new LinkedHashMap<>();
			}
			else if (line.equals("}") && message != null) {
				this.messages.put(group + "." + message, fields);
				if (types.slices.contains(message) || message.startsWith("JSONSchemaPropsOr")) {
					this.chosen.add(group + "." + message);
				}
				message = null;
			}
			else if (field.matches()) {
				check(message != null, line);
				add(group, message, fields, field, types);
			}
		}
	}

	private void add(String group, String message, Map<String, String> fields, Matcher field, GoTypes types) {
		boolean map = field.group(3) != null;
		String type = map ? field.group(3) : field.group(2);
		boolean repeated = field.group(1).startsWith("repeated");
		String number = field.group(5);
		String kind = SCALARS.get(type);
		boolean scalar = kind != null;
		if (!scalar) {
			String reference = qualified(group, type);
			kind = SPECIAL.get(reference);
			if (kind == null) {
				kind = ":" + (reference.startsWith(group + ".") ? reference.substring(group.length() + 1) : reference);
				this.references.computeIfAbsent(group + "." + message, (key) -> new ArrayList<>()).add(reference);
			}
		}
		GoField go = types.field(message, Integer.parseInt(number));
		if (go == null) {
			// slices and types with their own JSON form have no tags
			if (!types.slices.contains(message) && !message.startsWith("JSONSchemaPropsOr")) {
				this.unknown.add(group + "." + message);
			}
			go = new GoField(type, field.group(4));
		}
		List<String> json = List.of(go.json.split(",", -1));
		boolean pointer = go.type.startsWith("*");
		StringBuilder line = new StringBuilder(json.get(0)).append('=').append(number);
		line.append(map ? "%" : repeated ? "*" : "");
		if (json.contains("inline")) {
			check(kind.startsWith(":") && json.get(0).isEmpty() && !repeated && !map, "inline " + field.group());
			line.append('>');
		}
		else {
			check(!json.get(0).isEmpty(), "no name in JSON: " + field.group());
			boolean omitted = json.contains("omitempty");
			check(!json.contains("omitzero") || kind.equals("T"), "omitzero on " + field.group());
			boolean ends = map || repeated || pointer || kind.equals("y");
			if (omitted && scalar && !pointer && !map && !repeated || json.contains("omitzero")) {
				line.append('?');
			}
			else if (!omitted && ends && types.field(message, Integer.parseInt(number)) != null) {
				line.append('!');
			}
		}
		fields.put(number, line.append(kind).toString());
	}

	private static String qualified(String group, String type) {
		Matcher parts = Pattern.compile("\\.?k8s\\.io\\.(?:api|apimachinery\\.pkg\\.(?:apis|api|util)|apimachinery\\.pkg"
				+ "|apiextensions_apiserver\\.pkg\\.apis)\\.([\\w.]+)")
			.matcher(type);
		if (!type.contains(".")) {
			return group + "." + type;
		}
		check(parts.matches(), "a reference to " + type);
		return parts.group(1);
	}

	private void print(String version) {
		TreeSet<String> roots = new TreeSet<>();
		this.messages.forEach((name, fields) -> {
			Map<String, String> list = this.messages.get(name + "List");
			if (list == null || !this.groups.containsKey(group(name))) {
				return;
			}
			boolean usual = list.size() == 2 && list.get("1").equals("metadata=1:meta.v1.ListMeta")
					&& list.get("2").startsWith("items=2*") && list.get("2").endsWith(":" + simple(name));
			check(usual && fields.get("1").equals("metadata=1:meta.v1.ObjectMeta"), name + "List is unusual: " + list);
			roots.add(name);
		});
		TreeSet<String> used = new TreeSet<>();
		roots.forEach((root) -> use(root, used));
		List.of("meta.v1.PartialObjectMetadata", "meta.v1.ListMeta", "meta.v1.Status")
			.forEach((name) -> use(name, used));
		System.out.println("# Field numbers of Kubernetes " + version + ", made by src/proto/TableGenerator.java:");
		System.out.println("# messages that are reachable from types with lists; no other text of these files.");
		this.groups.forEach((group, apiVersion) -> System.out.println("@" + group + " " + apiVersion));
		for (String name : used) {
			StringBuilder line = new StringBuilder();
			line.append(roots.contains(name) ? "+" : this.chosen.contains(name) ? "|" : "").append(name);
			this.messages.get(name)
				.entrySet()
				.stream()
				.sorted((one, other) -> Integer.parseInt(one.getKey()) - Integer.parseInt(other.getKey()))
				.forEach((field) -> line.append(' ').append(field.getValue()));
			System.out.println(line);
		}
		System.err.println(roots.size() + " types, " + used.size() + " messages, "
				+ used.stream().mapToInt((name) -> this.messages.get(name).size()).sum() + " fields");
	}

	private void use(String name, TreeSet<String> used) {
		check(this.messages.containsKey(name) && !this.unknown.contains(name), "no message or no Go type " + name);
		if (used.add(name)) {
			this.references.getOrDefault(name, List.of()).forEach((reference) -> use(reference, used));
		}
	}

	private static String group(String name) {
		return name.substring(0, name.lastIndexOf('.'));
	}

	private static String simple(String name) {
		return name.substring(name.lastIndexOf('.') + 1);
	}

	private static void check(boolean expected, String what) {
		if (!expected) {
			throw new IllegalStateException(what);
		}
	}

	private record GoField(String type, String json) {

	}

	private static final class GoTypes {

		private final Map<String, Map<Integer, GoField>> structs = new HashMap<>();

		private final TreeSet<String> slices = new TreeSet<>();

		static GoTypes of(Path directory) throws IOException {
			GoTypes types = new GoTypes();
			try (Stream<Path> files = Files.list(directory)) {
				for (Path file : files.sorted().toList()) {
					String name = file.getFileName().toString();
					if (name.endsWith(".go") && !name.endsWith("_test.go") && !name.contains("generated")) {
						types.read(Files.readAllLines(file));
					}
				}
			}
			return types;
		}

		private void read(List<String> lines) {
			Map<Integer, GoField> fields = null;
			for (String line : lines) {
				Matcher struct = STRUCT.matcher(line);
				Matcher slice = SLICE.matcher(line);
				Matcher field = GO_FIELD.matcher(line);
				if (struct.lookingAt()) {
					fields = new HashMap<>();
					this.structs.put(struct.group(1), fields);
				}
				else if (slice.lookingAt()) {
					this.slices.add(slice.group(1));
				}
				else if (line.equals("}")) {
					fields = null;
				}
				else if (fields != null && field.matches()) {
					fields.put(Integer.parseInt(field.group(3)), new GoField(field.group(1), field.group(2)));
				}
			}
		}

		GoField field(String message, int number) {
			return this.structs.getOrDefault(message, Map.of()).get(number);
		}

	}

}
