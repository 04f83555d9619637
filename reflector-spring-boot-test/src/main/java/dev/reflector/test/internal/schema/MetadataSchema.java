package dev.reflector.test.internal.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.Lists;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import dev.reflector.test.internal.schema.MergeSchema.Scalar;

/**
 * The schema of the metadata of objects, which is the same for all types.
 */
final class MetadataSchema {

	private static final MergeSchema TEXT = MergeSchema.of(Scalar.STRING);

	private static final MergeSchema TIME = MergeSchema.of(Scalar.ANY);

	private static final MergeSchema TEXTS = MergeSchema.of(new MapSchema(Map.of(), () -> TEXT, false));

	private static final MergeSchema OWNER = struct(true, Map.of("apiVersion", TEXT, "kind", TEXT, "name", TEXT, "uid",
			TEXT, "controller", MergeSchema.of(Scalar.BOOLEAN), "blockOwnerDeletion", MergeSchema.of(Scalar.BOOLEAN)));

	static final MergeSchema OBJECT_META = objectMeta();

	private MetadataSchema() {
	}

	private static MergeSchema objectMeta() {
		Map<String, MergeSchema> fields = new LinkedHashMap<>();
		for (String name : List.of("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion")) {
			fields.put(name, TEXT);
		}
		fields.put("generation", MergeSchema.of(Scalar.NUMBER));
		fields.put("creationTimestamp", TIME);
		fields.put("deletionTimestamp", TIME);
		fields.put("deletionGracePeriodSeconds", MergeSchema.of(Scalar.NUMBER));
		fields.put("labels", TEXTS);
		fields.put("annotations", TEXTS);
		fields.put("ownerReferences", MergeSchema.of(new ListSchema(() -> OWNER, Lists.MAP, List.of("uid"))));
		fields.put("finalizers", MergeSchema.of(new ListSchema(() -> TEXT, Lists.SET)));
		fields.put("managedFields", MergeSchema.of(new ListSchema(() -> MergeSchema.ATOMIC, Lists.ATOMIC)));
		return struct(false, fields);
	}

	private static MergeSchema struct(boolean atomic, Map<String, MergeSchema> fields) {
		Map<String, Supplier<MergeSchema>> suppliers = new LinkedHashMap<>();
		fields.forEach((name, schema) -> suppliers.put(name, () -> schema));
		return MergeSchema.of(new MapSchema(suppliers, () -> null, atomic));
	}

}
