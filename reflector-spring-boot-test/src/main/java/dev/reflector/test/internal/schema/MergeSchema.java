package dev.reflector.test.internal.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The schema of a value, for merging: which scalars, lists and maps are allowed. If
 * several kinds are allowed, the value decides: a list is merged as a list, a map as a
 * map.
 *
 * @param scalar the allowed scalars, or {@code null} for none
 * @param list the allowed lists, or {@code null} for none
 * @param map the allowed maps, or {@code null} for none
 */
public record MergeSchema(@Nullable Scalar scalar, @Nullable ListSchema list, @Nullable MapSchema map) {

	/** Allows any value. Lists and maps are written as a whole. */
	public static final MergeSchema ATOMIC = new MergeSchema(Scalar.ANY,
			new ListSchema(() -> MergeSchema.ATOMIC, Lists.ATOMIC),
			new MapSchema(Map.of(), () -> MergeSchema.ATOMIC, true));

	/**
	 * Allows any value. Lists are written as a whole, maps field by field. This schema is
	 * used for values without a schema.
	 */
	public static final MergeSchema DEDUCED = new MergeSchema(Scalar.ANY, new ListSchema(() -> ATOMIC, Lists.ATOMIC),
			new MapSchema(Map.of(), () -> MergeSchema.DEDUCED, false));

	public static MergeSchema of(Scalar scalar) {
		return new MergeSchema(scalar, null, null);
	}

	public static MergeSchema of(ListSchema list) {
		return new MergeSchema(null, list, null);
	}

	public static MergeSchema of(MapSchema map) {
		return new MergeSchema(null, null, map);
	}

	/**
	 * Narrows this schema to the kind of a value.
	 * @param value the value, or {@code null} for none
	 * @return the narrowed schema, or this schema if the value is null or does not fit
	 */
	public MergeSchema narrowed(@Nullable JsonNode value) {
		if (value == null || value.isNull()) {
			return this;
		}
		if (value.isArray()) {
			return (this.list != null) ? of(this.list) : this;
		}
		if (value.isObject()) {
			return (this.map != null) ? of(this.map) : this;
		}
		return (this.scalar != null) ? of(this.scalar) : this;
	}

	/**
	 * The kinds of scalars.
	 */
	public enum Scalar {

		/** Numbers. */
		NUMBER,

		/** Texts. */
		STRING,

		/** True and false. */
		BOOLEAN,

		/** All kinds of scalars. */
		ANY;

		/**
		 * Whether a value is a scalar of this kind. Null always fits.
		 * @param value the value, or {@code null} for none
		 * @return whether the value fits
		 */
		public boolean fits(@Nullable JsonNode value) {
			if (value == null || value.isNull()) {
				return true;
			}
			return switch (this) {
				case NUMBER -> value.isNumber();
				case STRING -> value.isString();
				case BOOLEAN -> value.isBoolean();
				case ANY -> value.isValueNode();
			};
		}

	}

	/**
	 * How the elements of a list are identified.
	 */
	public enum Lists {

		/** Elements are not identified: the list is written as a whole. */
		ATOMIC,

		/** An element is identified by its value. */
		SET,

		/** An element is identified by some of its fields, the keys. */
		MAP

	}

	/**
	 * The schema of a list.
	 *
	 * @param elements supplies the schema of the elements
	 * @param kind how the elements are identified
	 * @param keys the fields that identify the elements, in order
	 */
	public record ListSchema(Supplier<MergeSchema> elements, Lists kind, List<String> keys) {

		public ListSchema {
			keys = List.copyOf(keys);
		}

		ListSchema(Supplier<MergeSchema> elements, Lists kind) {
			this(elements, kind, List.of());
		}

		public MergeSchema element() {
			return this.elements.get();
		}

		public boolean atomic() {
			return this.kind == Lists.ATOMIC;
		}

	}

	/**
	 * The schema of a map.
	 *
	 * @param fields the schemas of the named fields
	 * @param others supplies the schema of all other fields, or {@code null} if other
	 * fields are not allowed
	 * @param atomic whether the map is written as a whole
	 * @param defaults the default values of named fields
	 */
	public record MapSchema(Map<String, Supplier<MergeSchema>> fields, Supplier<@Nullable MergeSchema> others,
			boolean atomic, Map<String, JsonNode> defaults) {

		public MapSchema {
			fields = new LinkedHashMap<>(fields);
			defaults = Map.copyOf(defaults);
		}

		public MapSchema(Map<String, Supplier<MergeSchema>> fields, Supplier<@Nullable MergeSchema> others,
				boolean atomic) {
			this(fields, others, atomic, Map.of());
		}

		public boolean names(String field) {
			return this.fields.containsKey(field);
		}

		/**
		 * Returns the schema of a field.
		 * @param name name of the field
		 * @return the schema, or {@code null} if the field is not allowed
		 */
		public @Nullable MergeSchema field(String name) {
			Supplier<MergeSchema> named = this.fields.get(name);
			return (named != null) ? named.get() : this.others.get();
		}

	}

}
