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
 * Reads what is declared as a {@code Map} from strings as Jackson does, but makes
 * {@linkplain ArrayMap small maps} of few entries. All other maps are left to Jackson:
 * those whose values may be of several types, and those of which some entries are to be
 * ignored.
 */
final class ArrayMaps extends DelegatingDeserializer {

	/** How the map is read, {@code null} when Jackson reads it. */
	private final @Nullable Details details;

	/** As many entries as the last one had: most have the same number. */
	private int usual = 4;

	/**
	 * Leaves all to Jackson until it is known where the map is to go.
	 * @param original reads any map
	 */
	ArrayMaps(MapDeserializer original) {
		this(original, null);
	}

	private ArrayMaps(ValueDeserializer<?> original, @Nullable Details details) {
		super(original);
		this.details = details;
	}

	/** Who puts another reader in the place of the original one wants just that. */
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
	 * How values of the map are read.
	 * @return what reads them, {@code null} when Jackson reads the map
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

	/** A copy that lets itself be looked into, and reads values. */
	private static final class Details extends MapDeserializer {

		Details(MapDeserializer original) {
			super(original);
		}

		/**
		 * Whether an ordinary map from strings is read, where just a map is asked for.
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
