package dev.reflector.client.internal.bind;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/**
 * Reads properties declared as a {@code Map} with string keys, as Jackson does, but into
 * an {@link ArrayMap} if there are few entries. Jackson itself reads a map if its values
 * have subtypes, or if some entries must be ignored.
 */
final class ArrayMaps extends DelegatingDeserializer {

	/** Reads the values, or {@code null} if Jackson itself reads the map. */
	private final @Nullable Details details;

	/**
	 * The size of the last map. The next map of a property probably has the same size.
	 */
	private int usual = 4;

	/**
	 * Creates a deserializer that is not used to read maps. {@link #createContextual}
	 * returns the deserializer for the maps of a property.
	 * @param original Jackson's deserializer
	 */
	ArrayMaps(MapDeserializer original) {
		this(original, null);
	}

	private ArrayMaps(ValueDeserializer<?> original, @Nullable Details details) {
		super(original);
		this.details = details;
	}

	/** Returns the replacement without a wrapper. */
	@Override
	protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> replacement) {
		return replacement;
	}

	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		ValueDeserializer<?> contextual = ((MapDeserializer) this._delegatee).createContextual(context, property);
		if (contextual.getClass() != MapDeserializer.class) {
			return contextual;
		}
		Details details = new Details((MapDeserializer) contextual);
		return details.isPlain(context) ? new ArrayMaps(contextual, details) : contextual;
	}

	/**
	 * Returns the deserializer of the values.
	 * @return the deserializer, or {@code null} if Jackson itself reads the map
	 */
	@Nullable ValueDeserializer<?> values() {
		return (this.details != null) ? this.details.getContentDeserializer() : null;
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) {
		Details details = this.details;
		if (details == null || !parser.hasToken(JsonToken.START_OBJECT)) {
			return super.deserialize(parser, context);
		}
		Map<String, @Nullable Object> map = new ArrayMap<>(this.usual);
		for (String key = parser.nextName(); key != null; key = parser.nextName()) {
			Object value = details.nextValue(parser, context, key);
			if (value == null && details.skipsNulls()) {
				continue;
			}
			map = ArrayMap.add(map, key, value);
		}
		if (map instanceof ArrayMap<?> few) {
			this.usual = few.size();
			few.trimToSize();
		}
		return map;
	}

	/** Gives access to protected fields of the original deserializer. */
	private static final class Details extends MapDeserializer {

		Details(MapDeserializer original) {
			super(original);
		}

		/**
		 * Returns whether the map is an ordinary map with string keys, declared as
		 * {@code Map}.
		 */
		boolean isPlain(DeserializationContext context) {
			JavaType asked = context.getContextualType();
			return asked != null && asked.hasRawClass(Map.class) && asked.getKeyType().hasRawClass(String.class)
					&& this._standardStringKey && getMapClass() == LinkedHashMap.class
					&& getValueInstantiator().getClass().getName().startsWith("tools.jackson.")
					&& this._hasDefaultCreator && this._delegateDeserializer == null
					&& this._propertyBasedCreator == null && this._inclusionChecker == null
					&& this._valueTypeDeserializer == null && !this._checkDupSquash
					&& this._valueDeserializer.getObjectIdReader(context) == null;
		}

		boolean skipsNulls() {
			return this._skipNullValues;
		}

		@Nullable Object nextValue(JsonParser parser, DeserializationContext context, String key) {
			boolean isNull = parser.nextToken() == JsonToken.VALUE_NULL;
			try {
				Object value = isNull ? null : this._valueDeserializer.deserialize(parser, context);
				return (value != null) ? value : this._nullProvider.getNullValue(context);
			}
			catch (RuntimeException ex) {
				return wrapAndThrow(context, ex, getMapClass(), key);
			}
		}

	}

}
