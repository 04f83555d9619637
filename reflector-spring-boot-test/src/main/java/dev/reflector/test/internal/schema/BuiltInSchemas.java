package dev.reflector.test.internal.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.Lists;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import dev.reflector.test.internal.schema.MergeSchema.Scalar;
import dev.reflector.test.internal.schema.ResourceSchema.StatusRule;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * The known schemas of built-in types. In a type without a known schema, every list is
 * atomic.
 */
final class BuiltInSchemas {

	private static final Map<String, Set<String>> KINDS = Map.of("v1", Set.of("Pod", "Service", "ConfigMap", "Secret"),
			"apps/v1", Set.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"), "batch/v1",
			Set.of("Job", "CronJob"), "coordination.k8s.io/v1", Set.of("Lease"));

	private static final Set<String> WITHOUT_STATUS = Set.of("ConfigMap", "Secret", "Lease");

	private static final Set<String> WITHOUT_GENERATION = Set.of("ConfigMap", "Secret", "Lease", "Service");

	private static final BuiltInSchemas TABLE = new BuiltInSchemas();

	private final Map<String, MergeSchema> types = new HashMap<>();

	private BuiltInSchemas() {
		this.types.put("ObjectMeta", MetadataSchema.OBJECT_META);
		for (String line : table().split("\n")) {
			if (!line.startsWith("#")) {
				String[] words = line.split(" ");
				this.types.put(words[0], struct(words, false));
				this.types.put("!" + words[0], struct(words, true));
			}
		}
	}

	/**
	 * Returns the known schema of a type.
	 * @param type the type
	 * @return the schema, or {@code null} if none is known
	 */
	static @Nullable ResourceSchema find(ServedType type) {
		if (!KINDS.getOrDefault(type.apiVersion(), Set.of()).contains(type.kind())) {
			return null;
		}
		return new ResourceSchema(TABLE.type(type.kind()), null,
				WITHOUT_STATUS.contains(type.kind()) ? StatusRule.FIELD : StatusRule.SUBRESOURCE,
				!WITHOUT_GENERATION.contains(type.kind()));
	}

	private static String table() {
		try (InputStream in = Objects.requireNonNull(BuiltInSchemas.class.getResourceAsStream("built-in-types.txt"))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private MergeSchema type(String name) {
		return Objects.requireNonNull(this.types.get(name), name);
	}

	private MergeSchema struct(String[] words, boolean atomic) {
		Map<String, Supplier<MergeSchema>> fields = new LinkedHashMap<>();
		Map<String, JsonNode> defaults = new HashMap<>();
		for (String field : List.of(words).subList(1, words.length)) {
			int colon = field.indexOf(':');
			String name = field.substring(0, colon);
			String type = field.substring(colon + 1);
			if (type.startsWith("*=")) {
				defaults.put(name, StringNode.valueOf(type.substring(2)));
				type = "*";
			}
			fields.put(name, reference(type));
		}
		// a field that the table does not contain, because it is newer, is merged like a
		// field without a schema
		return MergeSchema.of(new MapSchema(fields, () -> MergeSchema.DEDUCED, atomic, defaults));
	}

	private Supplier<MergeSchema> reference(String type) {
		if (type.equals("*")) {
			return () -> MergeSchema.of(Scalar.ANY);
		}
		if (type.equals("?")) {
			return () -> MergeSchema.ATOMIC;
		}
		if (type.startsWith("[")) {
			int end = type.indexOf(']');
			MergeSchema list = MergeSchema.of(list(type.substring(1, end), reference(type.substring(end + 1))));
			return () -> list;
		}
		if (type.startsWith("{}") || type.equals("!{}")) {
			Supplier<MergeSchema> values = type.equals("!{}") ? () -> MergeSchema.ATOMIC : reference(type.substring(2));
			MergeSchema map = MergeSchema.of(new MapSchema(Map.of(), values::get, type.startsWith("!")));
			return () -> map;
		}
		return () -> type(type);
	}

	private static ListSchema list(String keys, Supplier<MergeSchema> element) {
		return switch (keys) {
			case "" -> new ListSchema(element, Lists.ATOMIC);
			case "=" -> new ListSchema(element, Lists.SET);
			default -> new ListSchema(element, Lists.MAP, List.of(keys.split(",")));
		};
	}

}
