package dev.reflector.client.internal.bind;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.reflector.GenericResource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.deser.jdk.UntypedObjectDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.deser.std.StdConvertingDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Finds the writer of a type. Everything that the writer writes can be read by the
 * deserializers that Jackson has created for the type. Records and beans are written
 * component by component. Types with Jackson's own deserializers are written in a form
 * that can be read with any setting. Types with a deserializer of the application are
 * written with a serializer of the application.
 */
final class WriterFinder {

	private final ObjectReader reader;

	private final DeserializationContext context;

	private final ApplicationJson application;

	private final PlainJson plain;

	private final WriterReport report;

	private final BeanWriters beans;

	private final Map<List<@Nullable Object>, LaterWriter> later = new HashMap<>();

	WriterFinder(ObjectReader reader, DeserializationContext context, ApplicationJson application, PlainJson plain,
			WriterReport report) {
		this.reader = reader;
		this.context = context;
		this.application = application;
		this.plain = plain;
		this.report = report;
		this.beans = new BeanWriters(this, context, application, report);
	}

	/**
	 * Returns the writer of values that may have subtypes.
	 * @param deserializer reads the values; {@code null} for values without a declared
	 * type
	 * @param typed whether the values are known to have subtypes
	 * @param place the place of the values
	 * @return the writer
	 */
	ValueWriter find(@Nullable ValueDeserializer<?> deserializer, boolean typed, Place place) {
		return (typed || isTyped(place.type())) ? typed(place) : one(deserializer, place);
	}

	private boolean isTyped(JavaType type) {
		return type.getTypeHandler() != null || this.context.findTypeDeserializer(type) != null;
	}

	/**
	 * Returns a writer of values with subtypes. The writer of each subtype is found when
	 * its first value is written.
	 */
	private ValueWriter typed(Place place) {
		TypeSerializer types = this.application.types(place.type(), place.container(), place.property());
		if (types == null || place.type().isJavaLangObject() || place.type().isContainerType()) {
			return this.application.whole(place.type());
		}
		subtypes(place).forEach((subtype) -> subtype(subtype, place));
		return new TypedWriter(types, this.application,
				(subtype) -> ContextQuery.ask(this.reader,
						(context) -> new WriterFinder(this.reader, context, this.application, this.plain, this.report)
							.subtype(subtype, place)));
	}

	/**
	 * Returns the declared subtypes. The subtypes are inspected at once, so that problems
	 * with them are found before the first value is written.
	 */
	private Set<Class<?>> subtypes(Place place) {
		DeserializationConfig config = this.context.getConfig();
		AnnotatedMember member = (place.property() != null) ? place.property().getMember() : null;
		Collection<NamedType> declared = (member != null)
				? config.getSubtypeResolver().collectAndResolveSubtypesByTypeId(config, member, place.type())
				: config.getSubtypeResolver()
					.collectAndResolveSubtypesByTypeId(config, this.context.introspectClassAnnotations(place.type()));
		return declared.stream()
			.map(NamedType::getType)
			.filter((type) -> !Modifier.isAbstract(type.getModifiers())
					&& place.type().getRawClass().isAssignableFrom(type))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private ValueWriter subtype(Class<?> type, Place place) {
		JavaType specific = this.context.constructSpecializedType(place.type(), type);
		return once(new Place(specific, place.property(), place.container(), place.path()));
	}

	/**
	 * Returns the writer of a type. It is created only once, because a type may contain
	 * itself.
	 */
	private ValueWriter once(Place place) {
		List<@Nullable Object> key = Arrays.asList(place.type(), place.property());
		LaterWriter known = this.later.get(key);
		if (known != null) {
			return known;
		}
		LaterWriter later = new LaterWriter();
		this.later.put(key, later);
		ValueWriter made = one(this.context.findContextualValueDeserializer(place.type(), place.property()), place);
		later.made(made);
		return made;
	}

	private ValueWriter one(@Nullable ValueDeserializer<?> candidate, Place place) {
		ValueDeserializer<?> deserializer = (candidate instanceof ArrayMaps maps) ? maps.getDelegatee() : candidate;
		if (deserializer == null) {
			return new ValueWriter.Untyped();
		}
		ValueWriter official = OfficialScalars.find(place.type().getRawClass());
		if (official != null) {
			return official;
		}
		if (deserializer instanceof GenericResourceDeserializer) {
			return (value, out, context) -> ((GenericResource) value).content().serialize(out, context);
		}
		Method unboxing = KnownParts.isKnown(deserializer) ? ValueClasses.unboxing(place.type().getRawClass()) : null;
		if (unboxing != null) {
			return unboxed(unboxing, place);
		}
		if (!KnownParts.isKnown(deserializer) || isConverted(deserializer, place)) {
			return custom(place);
		}
		if (deserializer instanceof StdConvertingDeserializer<?> converting && converting.getDelegatee() != null) {
			return one(converting.getDelegatee(), place);
		}
		if (deserializer instanceof BeanDeserializerBase bean) {
			return this.beans.find(bean, place);
		}
		return known(deserializer, place);
	}

	private ValueWriter unboxed(Method unboxing, Place place) {
		ComponentAccess.Way way = ComponentAccess.handle(unboxing);
		return (way != null) ? new SingleWriter(way, unboxed(unboxing.getGenericReturnType(), place))
				: this.application.whole(place.type());
	}

	/** Returns the writer of the single value of a Kotlin value class. */
	ValueWriter unboxed(Type type, Place place) {
		return once(new Place(this.context.constructType(type), null, null, place.path()));
	}

	/**
	 * Returns whether the application has declared a converter for the type. Converters
	 * for collections of the JDK do not count, because Jackson itself uses them.
	 */
	private static boolean isConverted(ValueDeserializer<?> deserializer, Place place) {
		return deserializer instanceof StdConvertingDeserializer<?>
				&& !place.type().getRawClass().getName().startsWith("java.util.");
	}

	private ValueWriter custom(Place place) {
		ValueWriter own = this.application.custom(place.type(), place.property(), place.container() != null);
		if (own == null) {
			this.report.problem(place, "a deserializer of the application reads it, and there is no serializer for it");
			return this.application.whole(place.type());
		}
		return own;
	}

	private ValueWriter known(ValueDeserializer<?> deserializer, Place place) {
		Class<?> type = place.type().getRawClass();
		if (deserializer instanceof UntypedObjectDeserializer || place.type().isJavaLangObject()) {
			return new ValueWriter.Untyped();
		}
		if (JsonNode.class.isAssignableFrom(type)) {
			return (value, out, context) -> ((JsonNode) value).serialize(out, context);
		}
		if (type == TokenBuffer.class) {
			return (value, out, context) -> ((TokenBuffer) value).serialize(out);
		}
		if (deserializer instanceof AbstractDeserializer || deserializer instanceof UnsupportedTypeDeserializer) {
			return this.application.whole(place.type());
		}
		if (deserializer instanceof ReferenceTypeDeserializer<?> reference) {
			return reference(reference, place);
		}
		if (deserializer instanceof ContainerDeserializerBase<?> container && !type.isEnum()) {
			return container(container, place);
		}
		if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
			return enumeration(deserializer, place);
		}
		return scalar(place);
	}

	@SuppressWarnings("unchecked")
	private ValueWriter reference(ReferenceTypeDeserializer<?> reference, Place place) {
		Place content = place.element(reference.getValueType().getContentType());
		return new ValueWriter.Referenced((ReferenceTypeDeserializer<Object>) reference,
				isTyped(content.type()) ? typed(content) : once(content));
	}

	private ValueWriter container(ContainerDeserializerBase<?> container, Place place) {
		JavaType type = place.type();
		JavaType content = container.getContentType();
		if (type.isArrayType() && type.getContentType().isPrimitive()) {
			return scalar(place);
		}
		if (content == null) {
			return new ValueWriter.Untyped();
		}
		ValueDeserializer<?> each = container.getContentDeserializer();
		ValueWriter values = find(
				(each != null) ? each : this.context.findContextualValueDeserializer(content, place.property()), false,
				place.element(content));
		if (Map.class.isAssignableFrom(type.getRawClass()) || type.hasRawClass(Map.Entry.class)) {
			JavaType keys = container.getValueType(this.context).containedTypeOrUnknown(0);
			return new ValueWriter.Entries(keys(type.isMapLikeType() ? type.getKeyType() : keys, place), values);
		}
		return new ValueWriter.Elements(values);
	}

	private ValueWriter.KeyNames keys(JavaType type, Place place) {
		Class<?> raw = type.getRawClass();
		KeyDeserializer keys = keyDeserializer(type, place);
		if (keys != null && !KnownParts.isKnown(keys)) {
			ValueWriter.KeyNames own = this.application.customKeys(type, place.property());
			if (own == null) {
				this.report.problem(place,
						"a deserializer of the application reads its keys, and there is no serializer for them");
			}
			return (own != null) ? own : ValueWriter.KeyNames.TEXT;
		}
		if (raw.isEnum() && keys != null) {
			return EnumTexts.ofKeys(raw, keys, this.context, this.application::tree);
		}
		if (raw == String.class || raw == Object.class || ScalarWriters.isTime(raw)) {
			return ValueWriter.KeyNames.TEXT;
		}
		if (raw.getName().startsWith("java.") || raw.isPrimitive()) {
			return this.plain.keys(type);
		}
		ValueWriter.KeyNames own = this.beans.keys(type);
		if (own == null) {
			this.report.problem(place, "Jackson reads its keys, and does not write them as they were");
		}
		return (own != null) ? own : ValueWriter.KeyNames.TEXT;
	}

	private @Nullable KeyDeserializer keyDeserializer(JavaType type, Place place) {
		AnnotatedMember member = (place.property() != null) ? place.property().getMember() : null;
		Object annotated = (member != null && place.container() == null)
				? this.context.getAnnotationIntrospector().findKeyDeserializer(this.context.getConfig(), member) : null;
		return (annotated != null) ? this.context.keyDeserializerInstance(member, annotated)
				: this.context.findKeyDeserializer(type, place.property());
	}

	private ValueWriter enumeration(ValueDeserializer<?> deserializer, Place place) {
		EnumTexts texts = EnumTexts.ofValues(place.type().getRawClass(), deserializer, this.context,
				this.application::tree);
		if (!texts.isUsable()) {
			this.report.problem(place, "Jackson reads its constants, and does not write them as they were");
		}
		return texts;
	}

	private ValueWriter scalar(Place place) {
		Class<?> type = place.type().getRawClass();
		JsonFormat.Value pattern = isPatterned(type) ? PlainJson.pattern(place, this.context.getConfig()) : null;
		ValueWriter own = (pattern == null) ? ScalarWriters.find(type, this.context.getConfig().getBase64Variant())
				: null;
		return (own != null) ? own : this.plain.writer(place.type(), pattern);
	}

	/**
	 * Returns whether a pattern matters for a type. The pattern of a duration does not
	 * matter: it is only the unit of a number, and a duration is written as a text, which
	 * can always be read.
	 */
	private static boolean isPatterned(Class<?> type) {
		return ScalarWriters.isTime(type) && TemporalAccessor.class.isAssignableFrom(type);
	}

}
