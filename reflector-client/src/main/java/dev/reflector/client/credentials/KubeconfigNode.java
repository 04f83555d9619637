package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A mapping in a kubeconfig. Its exceptions say where the mapping is. They do not quote
 * values, because these may be secret.
 */
final class KubeconfigNode {

	private static final int MAX_VALUES = 100_000;

	/** The texts that kubectl reads as {@code true}, as in YAML 1.1. */
	private static final Set<String> TRUE = Set.of("true", "yes", "on", "y");

	private final Origin origin;

	private final String where;

	private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

	private KubeconfigNode(Origin origin, String where, Map<?, ?> values) {
		this.origin = origin;
		this.where = where;
		// a name such as 2026 is not a text in YAML
		values.forEach((name, value) -> this.values.put(String.valueOf(name), value));
	}

	/**
	 * Creates a mapping for a missing part of the kubeconfig.
	 * @param where the name of the part
	 * @return a mapping without entries
	 */
	KubeconfigNode empty(String where) {
		return new KubeconfigNode(this.origin, where, Map.of());
	}

	/**
	 * Returns a copy of this mapping that has only some fields.
	 * @param fields the names of these fields
	 * @return the copy
	 */
	KubeconfigNode only(Collection<String> fields) {
		Map<String, @Nullable Object> kept = new LinkedHashMap<>(this.values);
		kept.keySet().retainAll(fields);
		return new KubeconfigNode(this.origin, this.where, kept);
	}

	/**
	 * Reads a kubeconfig.
	 * @param file the file
	 * @param reads used to read the kubeconfig and the files that it names
	 * @return the content of the kubeconfig
	 * @throws KubeconfigException if the file cannot be read or is no kubeconfig
	 */
	static KubeconfigNode read(Path file, FileReads reads) {
		try {
			return parse(reads.read(file), new Origin("kubeconfig " + file, file.toAbsolutePath().getParent(), reads));
		}
		catch (IOException ex) {
			if (ex.getCause() instanceof NoSuchFileException) {
				throw new KubeconfigException("there is no kubeconfig " + file + "; name a file that exists", ex);
			}
			throw new KubeconfigException(
					"cannot read kubeconfig: " + ex.getMessage() + "; name a file that this process can read", ex);
		}
	}

	/**
	 * Reads the text of a kubeconfig.
	 * @param text the text
	 * @param source where the text comes from
	 * @param reads used to read the files that the kubeconfig names
	 * @return the content of the kubeconfig
	 * @throws KubeconfigException if the text is no kubeconfig
	 */
	static KubeconfigNode parse(String text, String source, FileReads reads) {
		return parse(text, new Origin("kubeconfig of " + source, null, reads));
	}

	private static KubeconfigNode parse(String text, Origin origin) {
		try {
			String exceeded = KubeconfigLimits.exceeded(text);
			if (exceeded != null) {
				throw new KubeconfigException(origin + " " + exceeded);
			}
			// as in kubectl, the first of several YAML documents and the last of several
			// equal keys are used
			Iterator<Object> documents = new Yaml(new WrittenScalars(KubeconfigLimits.options())).loadAll(text)
				.iterator();
			Object content = documents.hasNext() ? documents.next() : null;
			if (content == null) {
				// as in kubectl, an empty file is valid, because another file may have
				// the content
				return new KubeconfigNode(origin, "", Map.of());
			}
			if (content instanceof Map<?, ?> values) {
				return new KubeconfigNode(origin, "", values);
			}
			throw new KubeconfigException(origin + " is not a YAML mapping; check that it is a kubeconfig");
		}
		catch (YAMLException ex) {
			// the exception is not kept as the cause, because its message quotes lines of
			// the file
			throw new KubeconfigException(origin + " is not valid YAML" + position(ex)
					+ "; correct it there ('kubectl config view' shows the problem as well)");
		}
	}

	private static String position(YAMLException ex) {
		if (ex instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
			return " at line " + (marked.getProblemMark().getLine() + 1) + ", column "
					+ (marked.getProblemMark().getColumn() + 1);
		}
		return "";
	}

	/**
	 * Returns the mappings in a list.
	 * @param field the field of the list
	 * @return the mappings; empty if there is no list
	 */
	List<KubeconfigNode> mappings(String field) {
		List<KubeconfigNode> mappings = new ArrayList<>();
		if (this.values.get(field) instanceof List<?> entries) {
			for (Object entry : entries) {
				if (entry instanceof Map<?, ?> map) {
					mappings.add(new KubeconfigNode(this.origin, this.where, map));
				}
			}
		}
		return mappings;
	}

	/**
	 * Returns a mapping in this mapping.
	 * @param field the field of the mapping
	 * @param where the name of the mapping in messages
	 * @return the mapping, or {@code null} for none
	 */
	@Nullable KubeconfigNode mapping(String field, String where) {
		Object value = this.values.get(field);
		if (value == null) {
			return null;
		}
		if (value instanceof Map<?, ?> map) {
			return new KubeconfigNode(this.origin, where, map);
		}
		throw failure("has a '" + field + "' that is not a mapping", "correct the YAML");
	}

	/**
	 * Returns a list of texts.
	 * @param field the field
	 * @return the texts; empty if there is no list
	 */
	List<String> texts(String field) {
		Object value = this.values.get(field);
		if (value == null) {
			return List.of();
		}
		if (!(value instanceof List<?> list) || list.stream().anyMatch(KubeconfigNode::isNoText)) {
			throw failure("has a '" + field + "' that is not a list of texts", "correct the YAML");
		}
		return list.stream().map(String::valueOf).toList();
	}

	private static boolean isNoText(@Nullable Object value) {
		return value == null || value instanceof Map || value instanceof List;
	}

	/**
	 * Returns the names of the fields.
	 * @return the names, in the order of the file
	 */
	List<String> fields() {
		return List.copyOf(this.values.keySet());
	}

	boolean flag(String field) {
		String text = text(field);
		return text != null && TRUE.contains(text.toLowerCase(Locale.ROOT));
	}

	/**
	 * Returns a value of any type.
	 * @param field the field
	 * @return a map, list, text, number or boolean, or {@code null} if there is no such
	 * field
	 */
	@Nullable Object value(String field) {
		return typed(this.values.get(field), 0, new int[1]);
	}

	/**
	 * Copies a value of the YAML. Counts the copied values, because aliases of aliases
	 * can multiply the values of a small file.
	 */
	private @Nullable Object typed(@Nullable Object value, int depth, int[] count) {
		if (++count[0] > MAX_VALUES) {
			throw failure("has more than " + MAX_VALUES + " values, those of aliases included", "use fewer aliases");
		}
		if (depth > KubeconfigLimits.MAX_DEPTH) {
			// an alias of a mapping or list that contains the alias
			return null;
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, @Nullable Object> typed = new LinkedHashMap<>();
			map.forEach((key, each) -> typed.put(String.valueOf(key), typed(each, depth + 1, count)));
			return typed;
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> typed = new ArrayList<>();
			list.forEach((each) -> typed.add(typed(each, depth + 1, count)));
			return typed;
		}
		return (value instanceof WrittenScalars.Scalar scalar) ? scalar.value() : value;
	}

	@Nullable String text(String field) {
		Object value = this.values.get(field);
		if (value instanceof Map || value instanceof List) {
			throw failure("has a '" + field + "' that is not a text", "correct the YAML");
		}
		return (value != null) ? String.valueOf(value) : null;
	}

	String required(String field) {
		String value = text(field);
		if (value == null || value.isBlank()) {
			throw failure("has no '" + field + "'", "add it");
		}
		return value;
	}

	void refuse(String field, String remedy) {
		Object value = this.values.get(field);
		if (value != null && !"".equals(value)) {
			throw failure("uses '" + field + "', which is not supported", remedy);
		}
	}

	@Nullable Path path(String field) {
		String value = text(field);
		if (value == null || value.isBlank()) {
			return null;
		}
		try {
			Path folder = this.origin.folder();
			return (folder != null) ? folder.resolve(value) : Path.of(value);
		}
		catch (InvalidPathException ex) {
			// the message does not quote the value, which may be a secret in the wrong
			// field
			throw failure("has a '" + field + "' that is not the name of a file", "correct it");
		}
	}

	/**
	 * Returns the text of a field, such as a certificate. If there is a field with the
	 * suffix {@code -data}, it contains the text as base64. Otherwise, the field without
	 * this suffix contains the path of a file with the text.
	 * @param field the field
	 * @return the text, or {@code null} if neither field exists
	 */
	@Nullable String data(String field) {
		String data = text(field + "-data");
		if (data != null && !data.isBlank()) {
			try {
				return new String(Base64.getDecoder().decode(data.replaceAll("\\s", "")), StandardCharsets.UTF_8);
			}
			catch (IllegalArgumentException ex) {
				throw failure("has a '" + field + "-data' that is not base64", "encode the PEM text with 'base64 -w0'");
			}
		}
		Path path = path(field);
		if (path == null) {
			return null;
		}
		try {
			return this.origin.reads().read(path);
		}
		catch (IOException ex) {
			throw new KubeconfigException(this + " names as " + field + " a file that cannot be read: "
					+ ex.getMessage() + "; make it a readable file or correct the path", ex);
		}
	}

	/**
	 * Returns where the text of a field comes from.
	 * @param field the field
	 * @return the field, and the file if the field names one; {@code null} if neither
	 * field exists
	 */
	@Nullable String place(String field) {
		String data = text(field + "-data");
		if (data != null && !data.isBlank()) {
			return field + "-data";
		}
		Path path = path(field);
		return (path != null) ? field + " " + this.origin.reads().name(path) : null;
	}

	/**
	 * Returns the name of this part of the kubeconfig.
	 * @return the name of the part, without the name of the file
	 */
	String where() {
		return this.where;
	}

	KubeconfigException failure(String what, String remedy) {
		return new KubeconfigException(this + " " + what + "; " + remedy);
	}

	@Override
	public String toString() {
		return (this.where.isEmpty() ? "" : this.where + " in ") + this.origin;
	}

	/**
	 * Where a kubeconfig comes from.
	 *
	 * @param name the name of the kubeconfig in messages
	 * @param folder the folder against which relative paths are resolved, or {@code null}
	 * for the working directory
	 * @param reads used to read the files that the kubeconfig names
	 */
	private record Origin(String name, @Nullable Path folder, FileReads reads) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
