package dev.reflector.client.internal.bind;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.VirtualAnnotatedMember;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.std.StdConvertingSerializer;
import tools.jackson.databind.util.Converter;
import tools.jackson.databind.util.StdDateFormat;

/**
 * Writes values with the serializers, type ids and annotations of the application, but
 * without its settings. This is needed for types that the application's own deserializers
 * read, and for types with features that only Jackson supports.
 */
final class ApplicationJson {

	private final JsonMapper reading;

	private @Nullable JsonMapper mapper;

	/**
	 * Uses the serializers of a mapper.
	 * @param mapper a mapper for objects of a server, which is not changed
	 */
	ApplicationJson(JsonMapper mapper) {
		this.reading = mapper;
	}

	/**
	 * Returns the mapper. It is created at its first use, because it is not needed for
	 * most types.
	 */
	private synchronized JsonMapper mapper() {
		JsonMapper present = this.mapper;
		if (present == null) {
			present = make();
			this.mapper = present;
		}
		return present;
	}

	private JsonMapper make() {
		JsonMapper.Builder builder = this.reading.rebuild().addModule(StoredValue.Serializer.module());
		for (SerializationFeature feature : SerializationFeature.values()) {
			builder.configure(feature, feature.enabledByDefault());
		}
		for (DateTimeFeature feature : DateTimeFeature.values()) {
			builder.configure(feature, feature.enabledByDefault());
		}
		for (JsonNodeFeature feature : JsonNodeFeature.values()) {
			builder.configure(feature, feature.enabledByDefault());
		}
		for (EnumFeature feature : EnumFeature.values()) {
			builder.configure(feature, feature.enabledByDefault());
		}
		return builder.changeDefaultPropertyInclusion((inclusion) -> JsonInclude.Value.empty())
			.changeDefaultVisibility((visibility) -> VisibilityChecker.defaultInstance())
			.defaultDateFormat(StdDateFormat.instance)
			.build();
	}

	private ObjectWriter writer() {
		return mapper().writerFor(StoredValue.class).withView(null);
	}

	private <R extends @Nullable Object> R ask(Function<SerializationContext, R> question) {
		AtomicReference<R> answer = new AtomicReference<>();
		writer().writeValueAsBytes((StoredValue) (out, context) -> {
			answer.set(question.apply(context));
			out.writeNull();
		});
		return answer.get();
	}

	/**
	 * Returns the JSON that Jackson writes for a value, or {@code null} if Jackson fails.
	 */
	@Nullable JsonNode tree(Object value) {
		try {
			return mapper().valueToTree(value);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/** Returns a writer of values of a type that leaves the whole value to Jackson. */
	ValueWriter whole(JavaType type) {
		ObjectWriter whole = mapper().writerFor(type).withView(null);
		return (value, out, context) -> whole.writeValue(out, value);
	}

	/**
	 * Returns the application's own serializer for values that a deserializer of the
	 * application reads.
	 * @param type the type of the values
	 * @param property the property that has the value, or {@code null} for a whole object
	 * @param content whether the written values are elements of the property's value,
	 * such as the elements of a list
	 * @return the serializer, or {@code null} if the application has no serializer
	 */
	@Nullable ValueWriter custom(JavaType type, @Nullable BeanProperty property, boolean content) {
		ValueSerializer<Object> own = this
			.<@Nullable ValueSerializer<Object>>ask((context) -> ownSerializer(context, type, property, content));
		if (own == null) {
			return null;
		}
		ObjectWriter writer = writer();
		return (value, out, context) -> writer.writeValue(out,
				(StoredValue) (same, settings) -> own.serialize(value, same, settings));
	}

	/**
	 * Returns the application's own serializer for keys that a deserializer of the
	 * application reads, or {@code null} for none.
	 */
	ValueWriter.@Nullable KeyNames customKeys(JavaType type, @Nullable BeanProperty property) {
		ValueSerializer<Object> own = this.<@Nullable ValueSerializer<Object>>ask((context) -> {
			AnnotatedMember member = (property != null) ? property.getMember() : null;
			Object annotated = (member != null) ? introspector(context).findKeySerializer(context.getConfig(), member)
					: null;
			ValueSerializer<Object> serializer = (annotated != null) ? context.serializerInstance(member, annotated)
					: context.findKeySerializer(type, property);
			return (annotated != null || isOwn(serializer)) ? serializer : null;
		});
		if (own == null) {
			return null;
		}
		ObjectWriter writer = writer();
		return (key, out, context) -> writer.writeValue(out,
				(StoredValue) (same, settings) -> own.serialize(key, same, settings));
	}

	private static AnnotationIntrospector introspector(SerializationContext context) {
		return context.getAnnotationIntrospector();
	}

	private static @Nullable ValueSerializer<Object> ownSerializer(SerializationContext context, JavaType type,
			@Nullable BeanProperty property, boolean content) {
		ValueSerializer<Object> annotated = annotated(context, property, content);
		if (annotated != null) {
			return annotated;
		}
		ValueSerializer<Object> serializer = context.findPrimaryPropertySerializer(type, property);
		return isOwn(serializer) ? serializer : null;
	}

	private static @Nullable ValueSerializer<Object> annotated(SerializationContext context,
			@Nullable BeanProperty property, boolean content) {
		AnnotatedMember member = (property != null) ? property.getMember() : null;
		if (member == null) {
			return null;
		}
		AnnotationIntrospector introspector = introspector(context);
		Object definition = content ? introspector.findContentSerializer(context.getConfig(), member)
				: introspector.findSerializer(context.getConfig(), member);
		ValueSerializer<?> serializer = null;
		if (definition != null) {
			serializer = context.serializerInstance(member, definition);
		}
		else {
			Object converter = content ? introspector.findSerializationContentConverter(context.getConfig(), member)
					: introspector.findSerializationConverter(context.getConfig(), member);
			if (converter != null) {
				Converter<Object, Object> made = context.converterInstance(member, converter);
				serializer = new StdConvertingSerializer(made, made.getOutputType(context.getTypeFactory()), null,
						property);
			}
		}
		return (serializer != null) ? context.handlePrimaryContextualization(serializer, property) : null;
	}

	/**
	 * Returns whether a serializer belongs to the application. A serializer for a
	 * converter or for {@code @JsonValue} counts as one of the application, because the
	 * type declares it.
	 */
	private static boolean isOwn(ValueSerializer<?> serializer) {
		String name = serializer.getClass().getName();
		return !KnownParts.isKnown(serializer) || name.endsWith(".JsonValueSerializer")
				|| name.endsWith(".StdDelegatingSerializer") || name.endsWith(".StdConvertingSerializer");
	}

	/**
	 * Returns how the application writes the subtype of a value.
	 * @param type the type of the values
	 * @param container the type of the container of the values, or {@code null} for none
	 * @param property the property that has the values, or {@code null} for none
	 * @return the serializer of the subtype, or {@code null} if the subtype is not
	 * written
	 */
	@Nullable TypeSerializer types(JavaType type, @Nullable JavaType container, @Nullable BeanProperty property) {
		AnnotatedMember member = (property != null) ? property.getMember() : null;
		return this.<@Nullable TypeSerializer>ask((context) -> {
			TypeSerializer found;
			if (member == null) {
				found = context.findTypeSerializer(type);
			}
			else {
				found = (container != null)
						? context.getConfig()
							.getTypeResolverProvider()
							.findPropertyContentTypeSerializer(context, member, container)
						: context.findPropertyTypeSerializer(type, member);
			}
			return (found != null) ? found.forProperty(context, property) : null;
		});
	}

	/** Returns the type id of a value. */
	@Nullable String typeId(TypeSerializer types, Object value) {
		return ask((context) -> types.getTypeIdResolver().idFromValue(context, value));
	}

	/**
	 * Returns whether the application omits a component from its JSON, or writes the
	 * component in another form, such as asterisks.
	 * @param type the type that has the component
	 * @param name the name of the component in JSON
	 * @param property the component
	 * @return {@code true} if the application omits or changes the component
	 */
	boolean hides(JavaType type, String name, BeanProperty property) {
		return ask((context) -> {
			ValueSerializer<Object> serializer = context.findValueSerializer(type);
			boolean written = (serializer instanceof BeanSerializerBase) ? writes(serializer, name)
					: KnownParts.isKnown(serializer);
			return !written || isFiltered(context, type) || isMasked(context, property);
		});
	}

	/**
	 * Returns how the application writes a type.
	 * @param type a type that is read as a record or bean
	 * @return the description of the written JSON
	 */
	Written written(JavaType type) {
		return ask((context) -> {
			ValueSerializer<Object> serializer = context.findValueSerializer(type);
			Map<String, String> names = new HashMap<>();
			Set<String> properties = new HashSet<>();
			Set<String> explicit = new LinkedHashSet<>();
			BeanDescription description = context.introspectBeanDescription(type);
			description.findProperties()
				.forEach((property) -> names.put(property.getInternalName(), property.getName()));
			serializer.properties().forEachRemaining((property) -> {
				properties.add(property.getName());
				AnnotatedMember member = property.getMember();
				if (member == null || member instanceof VirtualAnnotatedMember
						|| introspector(context).findNameForSerialization(context.getConfig(), member) != null) {
					explicit.add(property.getName());
				}
			});
			AnnotatedMember any = description.findAnyGetter();
			return new Written(!(serializer instanceof BeanSerializerBase), isFiltered(context, type), names,
					properties, explicit, (any != null) ? any.getName() : null);
		});
	}

	/**
	 * Returns whether a component has its own serializer, by an annotation or by its
	 * type.
	 */
	boolean hasSerializer(BeanProperty property) {
		return ask((context) -> hasSerializer(context, property));
	}

	private static boolean writes(ValueSerializer<Object> serializer, String name) {
		Iterable<PropertyWriter> properties = serializer::properties;
		return StreamSupport.stream(properties.spliterator(), false)
			.anyMatch((property) -> property.getName().equals(name));
	}

	/**
	 * Returns whether a type has a filter. A filter may select different properties for
	 * each object.
	 */
	private static boolean isFiltered(SerializationContext context, JavaType type) {
		return introspector(context).findFilterId(context.getConfig(),
				context.introspectClassAnnotations(type)) != null;
	}

	private static boolean isMasked(SerializationContext context, BeanProperty property) {
		AnnotatedMember member = property.getMember();
		return (member != null && introspector(context).findPropertyAccess(context.getConfig(),
				member) == JsonProperty.Access.WRITE_ONLY) || hasSerializer(context, property);
	}

	private static boolean hasSerializer(SerializationContext context, BeanProperty property) {
		if (annotated(context, property, false) != null || annotated(context, property, true) != null) {
			return true;
		}
		JavaType type = property.getType();
		return !type.getRawClass().getName().startsWith("java.") && !type.isPrimitive()
				&& !KnownParts.isKnown(context.findPrimaryPropertySerializer(type, property));
	}

	/**
	 * How the application writes a type.
	 *
	 * @param serialized whether the application has a serializer for the type
	 * @param filtered whether the application has a filter for the type
	 * @param names the name of each property in JSON, by its name in Java
	 * @param properties the names of the written properties in JSON
	 * @param explicit the names of the properties that an annotation declares
	 * @param anyGetter the name of the member that returns further properties, or
	 * {@code null} for none
	 */
	record Written(boolean serialized, boolean filtered, Map<String, String> names, Set<String> properties,
			Set<String> explicit, @Nullable String anyGetter) {

	}

}
