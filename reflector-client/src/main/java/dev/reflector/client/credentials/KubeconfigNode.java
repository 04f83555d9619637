package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A mapping within a kubeconfig, which knows where it stands so that failures can say it.
 * No failure repeats a value, for it may be a secret.
 */
final class KubeconfigNode {

	private final Origin origin;

	private final String where;

	private final Map<?, ?> values;

	private KubeconfigNode(Origin origin, String where, Map<?, ?> values) {
		this.origin = origin;
		this.where = where;
		this.values = values;
	}

	/**
	 * A part of the kubeconfig that is not there.
	 * @param where what it would be
	 * @return a mapping without entries
	 */
	KubeconfigNode empty(String where) {
		return new KubeconfigNode(this.origin, where, Map.of());
	}

	/**
	 * A kubeconfig.
	 * @param file the file
	 * @param reads reads it, and the files it names
	 * @return its content
	 * @throws KubeconfigException when it is none
	 */
	static KubeconfigNode read(Path file, FileReads reads) {
		try {
			return parse(reads.read(file), new Origin("kubeconfig " + file, file.toAbsolutePath().getParent(), reads));
		}
		catch (IOException ex) {
			if (ex.getCause() instanceof NoSuchFileException) {
				throw new KubeconfigException(
						"there is no kubeconfig " + file + "; set reflector.api-server.kubeconfig or "
								+ "KUBECONFIG to an existing file, or reflector.api-server.url",
						ex);
			}
			throw new KubeconfigException(
					"cannot read kubeconfig " + file + "; make it a readable file for this process", ex);
		}
	}

	/**
	 * A kubeconfig that is no file.
	 * @param text the text
	 * @param source where it comes from
	 * @param reads reads the files it names
	 * @return its content
	 * @throws KubeconfigException when it is none
	 */
	static KubeconfigNode parse(String text, String source, FileReads reads) {
		return parse(text, new Origin("kubeconfig of " + source, null, reads));
	}

	private static KubeconfigNode parse(String text, Origin origin) {
		LoaderOptions options = new LoaderOptions();
		options.setAllowDuplicateKeys(false);
		options.setCodePointLimit(3 * 1024 * 1024);
		options.setMaxAliasesForCollections(20);
		options.setNestingDepthLimit(30);
		try {
			Object content = new Yaml(new SafeConstructor(options)).load(text);
			if (content == null) {
				// like kubectl: an empty file says nothing, which another one may say
				return new KubeconfigNode(origin, "", Map.of());
			}
			if (content instanceof Map<?, ?> values) {
				return new KubeconfigNode(origin, "", values);
			}
			throw new KubeconfigException(origin + " is no YAML mapping; check that it is a kubeconfig");
		}
		catch (YAMLException ex) {
			// neither as text nor as cause: the parser quotes the lines around
			throw new KubeconfigException(origin + " is no valid YAML" + position(ex)
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
	 * The mappings of a list.
	 * @param field the list
	 * @return its mappings, none when there is no list
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
	 * A mapping within this one.
	 * @param field the field it stands in
	 * @param where how messages call it
	 * @return the mapping, or {@code null} when there is none
	 */
	@Nullable KubeconfigNode mapping(String field, String where) {
		Object value = this.values.get(field);
		if (value == null) {
			return null;
		}
		if (value instanceof Map<?, ?> map) {
			return new KubeconfigNode(this.origin, where, map);
		}
		throw failure("has a '" + field + "' that is no mapping", "correct the YAML");
	}

	/**
	 * A list of texts.
	 * @param field the field
	 * @return the texts, none when there is no list
	 */
	List<String> texts(String field) {
		Object value = this.values.get(field);
		if (value == null) {
			return List.of();
		}
		if (!(value instanceof List<?> list) || list.stream().anyMatch(KubeconfigNode::isNoText)) {
			throw failure("has a '" + field + "' that is no list of texts", "correct the YAML");
		}
		return list.stream().map(String::valueOf).toList();
	}

	private static boolean isNoText(@Nullable Object value) {
		return value == null || value instanceof Map || value instanceof List;
	}

	/**
	 * The names of the fields.
	 * @return the names, in the order of the text
	 */
	List<String> fields() {
		return this.values.keySet().stream().map(String::valueOf).toList();
	}

	boolean flag(String field) {
		return "true".equals(text(field));
	}

	/**
	 * A value of any form.
	 * @param field the field
	 * @return mappings, lists, texts, numbers and booleans, or {@code null}
	 */
	@Nullable Object value(String field) {
		return this.values.get(field);
	}

	@Nullable String text(String field) {
		Object value = this.values.get(field);
		if (value instanceof Map || value instanceof List) {
			throw failure("has a '" + field + "' that is no text", "correct the YAML");
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
			// the value is not repeated: it may be meant for another field
			throw failure("has a '" + field + "' that is no name of a file", "correct it");
		}
	}

	/**
	 * The text of a field that is given in place as base64 ({@code -data}, which wins) or
	 * as a file.
	 * @param field the field
	 * @return the text, or {@code null} when it is given in neither form
	 */
	@Nullable String data(String field) {
		String data = text(field + "-data");
		if (data != null && !data.isBlank()) {
			try {
				return new String(Base64.getDecoder().decode(data.replaceAll("\\s", "")), StandardCharsets.UTF_8);
			}
			catch (IllegalArgumentException ex) {
				throw failure("has a '" + field + "-data' that is no base64", "encode the PEM text with 'base64 -w0'");
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
	 * Where the text of a field stands.
	 * @param field the field
	 * @return the place, or {@code null} when it is given in neither form
	 */
	@Nullable String place(String field) {
		String data = text(field + "-data");
		if (data != null && !data.isBlank()) {
			return field + "-data";
		}
		Path path = path(field);
		return (path != null) ? field + " " + path : null;
	}

	/**
	 * Which part of the kubeconfig this is.
	 * @return the part, without the kubeconfig
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
	 * @param name how messages call it
	 * @param folder what relative paths in it start from, {@code null} for the working
	 * folder
	 * @param reads reads the files it names
	 */
	private record Origin(String name, @Nullable Path folder, FileReads reads) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
