package dev.reflector.test.internal.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What may stand at one place of an object, as far as merging is concerned. A schema that
 * allows several kinds of values is narrowed to one by the value.
 *
 * @param scalar the scalars that are allowed, {@code null} for none
 * @param list the lists that are allowed, {@code null} for none
 * @param map the maps that are allowed, {@code null} for none
 */
public record MergeSchema(@Nullable Scalar scalar, @Nullable ListSchema list, @Nullable MapSchema map) {

	/** Anything, lists and maps as a whole. */
	public static final MergeSchema ATOMIC = new MergeSchema(Scalar.ANY,
			new ListSchema(() -> MergeSchema.ATOMIC, Lists.ATOMIC),
			new MapSchema(Map.of(), () -> MergeSchema.ATOMIC, true));

	/** Anything, lists as a whole, maps field by field: all that is known of a value. */
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
	 * The one kind of this schema that a value is of.
	 * @param value the value, {@code null} for none
	 * @return the narrowed schema; this one when the value decides nothing or does not
	 * fit
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

		/** All of them. */
		ANY;

		/**
		 * Whether a value is such a scalar; null always is.
		 * @param value the value, {@code null} for none
		 * @return whether it fits
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
	 * How a list knows its elements.
	 */
	public enum Lists {

		/** Not at all: it is written as a whole. */
		ATOMIC,

		/** By their values. */
		SET,

		/** By some of their fields. */
		MAP

	}

	/**
	 * A list.
	 *
	 * @param elements what its elements are
	 * @param kind how it knows them
	 * @param keys the fields by which it knows them, in order
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
	 * A map.
	 *
	 * @param fields what its fields are, as far as they are named
	 * @param others what all other fields are; gives {@code null} when there must not be
	 * any
	 * @param atomic whether it is written as a whole
	 * @param defaults the values that named fields have when they are left out
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
		 * What a field is.
		 * @param name its name
		 * @return its schema, {@code null} when there must not be such a field
		 */
		public @Nullable MergeSchema field(String name) {
			Supplier<MergeSchema> named = this.fields.get(name);
			return (named != null) ? named.get() : this.others.get();
		}

	}

}
