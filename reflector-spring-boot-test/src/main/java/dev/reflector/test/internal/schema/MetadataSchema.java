package dev.reflector.test.internal.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.test.internal.schema.Schema.ListSchema;
import dev.reflector.test.internal.schema.Schema.Lists;
import dev.reflector.test.internal.schema.Schema.MapSchema;
import dev.reflector.test.internal.schema.Schema.Scalar;

/**
 * The metadata of objects, which is the same for all types.
 */
final class MetadataSchema {

	private static final Schema TEXT = Schema.of(Scalar.STRING);

	private static final Schema TIME = Schema.of(Scalar.ANY);

	private static final Schema TEXTS = Schema.of(new MapSchema(Map.of(), () -> TEXT, false));

	private static final Schema OWNER = struct(true, Map.of("apiVersion", TEXT, "kind", TEXT, "name", TEXT, "uid", TEXT,
			"controller", Schema.of(Scalar.BOOLEAN), "blockOwnerDeletion", Schema.of(Scalar.BOOLEAN)));

	static final Schema OBJECT_META = objectMeta();

	private MetadataSchema() {
	}

	private static Schema objectMeta() {
		Map<String, Schema> fields = new LinkedHashMap<>();
		for (String name : List.of("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion")) {
			fields.put(name, TEXT);
		}
		fields.put("generation", Schema.of(Scalar.NUMBER));
		fields.put("creationTimestamp", TIME);
		fields.put("deletionTimestamp", TIME);
		fields.put("deletionGracePeriodSeconds", Schema.of(Scalar.NUMBER));
		fields.put("labels", TEXTS);
		fields.put("annotations", TEXTS);
		fields.put("ownerReferences", Schema.of(new ListSchema(() -> OWNER, Lists.MAP, List.of("uid"))));
		fields.put("finalizers", Schema.of(new ListSchema(() -> TEXT, Lists.SET)));
		fields.put("managedFields", Schema.of(new ListSchema(() -> Schema.ATOMIC, Lists.ATOMIC)));
		return struct(false, fields);
	}

	private static Schema struct(boolean atomic, Map<String, Schema> fields) {
		Map<String, Supplier<Schema>> suppliers = new LinkedHashMap<>();
		fields.forEach((name, schema) -> suppliers.put(name, () -> schema));
		return Schema.of(new MapSchema(suppliers, () -> null, atomic));
	}

}
