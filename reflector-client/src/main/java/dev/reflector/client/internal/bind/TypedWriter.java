package dev.reflector.client.internal.bind;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeIdResolver;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * Writes values of a type with subtypes. Each value is written with the id of its
 * subtype.
 */
final class TypedWriter implements ValueWriter {

	private final TypeSerializer types;

	private final ApplicationJson application;

	private final Map<Class<?>, ValueWriter> writers = new ConcurrentHashMap<>();

	private final Map<Class<?>, String> ids = new ConcurrentHashMap<>();

	private final Function<Class<?>, ValueWriter> finder;

	/**
	 * Creates a writer.
	 * @param types writes the id of a subtype
	 * @param application finds the id of a value
	 * @param finder finds the writer of a subtype
	 */
	TypedWriter(TypeSerializer types, ApplicationJson application, Function<Class<?>, ValueWriter> finder) {
		this.types = types;
		this.application = application;
		this.finder = finder;
	}

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		Class<?> type = value.getClass();
		ValueWriter writer = this.writers.get(type);
		if (writer == null) {
			// not computed atomically, because a type may contain itself
			writer = withoutId(this.finder.apply(type));
			this.writers.put(type, writer);
		}
		WritableTypeId typed = this.types.typeId(value, writer.begins());
		typed.id = id(value);
		WritableTypeId prefix = this.types.writeTypePrefix(out, context, typed);
		writer.writeContent(value, out, context);
		this.types.writeTypeSuffix(out, context, prefix);
	}

	/**
	 * Returns a writer that omits the component with the id, because the id is written
	 * separately.
	 */
	private ValueWriter withoutId(ValueWriter writer) {
		return (this.types.getTypeInclusion() == JsonTypeInfo.As.PROPERTY
				&& writer instanceof ComponentsWriter components) ? components.without(this.types.getPropertyName())
						: writer;
	}

	/**
	 * Returns the id of a value. It depends only on the class of the value, unless the
	 * application has its own resolver of ids.
	 */
	private @Nullable String id(Object value) {
		TypeIdResolver resolver = this.types.getTypeIdResolver();
		if (resolver == null) {
			return null;
		}
		if (!KnownParts.isKnown(resolver)) {
			return this.application.typeId(this.types, value);
		}
		String known = this.ids.get(value.getClass());
		if (known == null) {
			known = this.application.typeId(this.types, value);
			if (known != null) {
				this.ids.put(value.getClass(), known);
			}
		}
		return known;
	}

}
