package dev.reflector.client.internal.bind;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

import dev.reflector.ObjectMeta;
import dev.reflector.cache.source.JvmFailureException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.impl.SetterlessProperty;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.EnumDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.jdk.ObjectArrayDeserializer;
import tools.jackson.databind.deser.jdk.StringCollectionDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Finds out what a type reads from JSON. Examines the deserializers that Jackson has
 * created for the type, and lets them read sample values to see which JSON types they
 * refuse.
 */
final class DeclaredValueFinder {

	/**
	 * The Java types whose JSON is exactly what a schema calls a string, a number or a
	 * boolean.
	 */
	private static final Set<Class<?>> SCALARS = Set.of(String.class, boolean.class, Boolean.class, int.class,
			Integer.class, long.class, Long.class, short.class, Short.class, byte.class, Byte.class, double.class,
			Double.class, float.class, Float.class, BigDecimal.class, BigInteger.class, Number.class);

	/** The Java types that are read only from some strings. */
	private static final Set<Class<?>> TEXTS = Set.of(Instant.class, OffsetDateTime.class, ZonedDateTime.class,
			LocalDateTime.class, LocalDate.class, Date.class, Duration.class, UUID.class);

	/**
	 * The packages of model classes. They are not checked, because they declare the
	 * properties of one version of the server, and other versions differ.
	 */
	private static final List<String> MODELS = List.of("io.kubernetes.client.", "io.fabric8.");

	private final ObjectReader reader;

	private final DeserializationContext context;

	private final Map<ValueDeserializer<?>, DeclaredValue.Members> known = new IdentityHashMap<>();

	private DeclaredValueFinder(ObjectReader reader, DeserializationContext context) {
		this.reader = reader;
		this.context = context;
	}

	static DeclaredValue find(ObjectReader reader, Class<?> type) {
		if (reader.getConfig().getProblemHandlers() != null) {
			return DeclaredValue.ANYTHING;
		}
		try {
			return ContextQuery.ask(reader, (context) -> new DeclaredValueFinder(reader, context)
				.value(context.findRootValueDeserializer(context.constructType(type))));
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// if the type cannot be read, this is reported when the first object is read
			return DeclaredValue.ANYTHING;
		}
	}

	private DeclaredValue value(@Nullable ValueDeserializer<?> candidate) {
		ValueDeserializer<?> deserializer = (candidate instanceof ArrayMaps maps) ? maps.getDelegatee() : candidate;
		if (deserializer == null || !KnownParts.isKnown(deserializer)) {
			return DeclaredValue.ANYTHING;
		}
		Class<?> type = deserializer.getClass();
		if (type == BeanDeserializer.class) {
			return members((BeanDeserializer) deserializer);
		}
		if (type == MapDeserializer.class) {
			ContainerDeserializerBase<?> maps = (ContainerDeserializerBase<?>) deserializer;
			return KnownParts.beginsEmpty(maps.getValueInstantiator())
					? new DeclaredValue.Entries(content(maps), refused(deserializer)) : DeclaredValue.ANYTHING;
		}
		if (type == CollectionDeserializer.class || type == StringCollectionDeserializer.class) {
			ContainerDeserializerBase<?> lists = (ContainerDeserializerBase<?>) deserializer;
			return KnownParts.beginsEmpty(lists.getValueInstantiator())
					? new DeclaredValue.Elements(content(lists), refused(deserializer)) : DeclaredValue.ANYTHING;
		}
		if (type == ObjectArrayDeserializer.class) {
			return new DeclaredValue.Elements(content((ContainerDeserializerBase<?>) deserializer),
					refused(deserializer));
		}
		if (deserializer instanceof ReferenceTypeDeserializer<?> reference) {
			JavaType content = reference.getValueType().getContentType();
			return KnownParts.isOneType(content, this.context)
					? value(this.context.findContextualValueDeserializer(content, null)) : DeclaredValue.ANYTHING;
		}
		return scalar(deserializer);
	}

	private DeclaredValue scalar(ValueDeserializer<?> deserializer) {
		Class<?> type = deserializer.handledType();
		Predicate<String> refusedText = (text) -> ContextQuery.ask(this.reader,
				(context) -> refusesText(context, deserializer, text));
		if (type != null && SCALARS.contains(type)) {
			return new DeclaredValue.Scalar(refused(deserializer), refusedText);
		}
		boolean isEnum = type != null && type.isEnum();
		if (isEnum && deserializer.getClass() != EnumDeserializer.class) {
			// a factory of the application makes the constants, from any JSON type
			return new DeclaredValue.Scalar(Set.of(), refusedText);
		}
		if (isEnum || (type != null && TEXTS.contains(type))) {
			Set<JsonType> refused = refused(deserializer);
			refused.remove(JsonType.STRING);
			return new DeclaredValue.Scalar(refused, refusedText);
		}
		return DeclaredValue.ANYTHING;
	}

	private DeclaredValue content(ContainerDeserializerBase<?> container) {
		JavaType type = container.getContentType();
		if (!KnownParts.isOneType(type, this.context)) {
			return DeclaredValue.ANYTHING;
		}
		ValueDeserializer<?> content = container.getContentDeserializer();
		return value((content != null) ? content : this.context.findContextualValueDeserializer(type, null));
	}

	private DeclaredValue members(BeanDeserializer deserializer) {
		DeclaredValue.Members known = this.known.get(deserializer);
		if (known != null) {
			return known;
		}
		Class<?> type = deserializer.handledType();
		BeanDetails details = new BeanDetails(deserializer, this.context);
		if (type == ObjectMeta.class || MODELS.stream().anyMatch(type.getName()::startsWith) || !details.isPlain()) {
			return DeclaredValue.ANYTHING;
		}
		DeclaredValue.Members members = new DeclaredValue.Members(refused(deserializer));
		this.known.put(deserializer, members);
		List<DeclaredValue.Member> list = new ArrayList<>();
		add(deserializer.properties(), details, list);
		add(deserializer.creatorProperties(), details, list);
		members.setList(List.copyOf(list));
		return members;
	}

	private void add(Iterator<SettableBeanProperty> properties, BeanDetails details, List<DeclaredValue.Member> list) {
		properties.forEachRemaining((property) -> {
			if (property.isIgnorable() || property.isInjectionOnly() || property instanceof SetterlessProperty
					|| details.ignores(property.getName()) || isIn(list, property.getName())) {
				return;
			}
			List<String> names = new ArrayList<>(List.of(property.getName()));
			property.findAliases(this.context.getConfig())
				.stream()
				.map(PropertyName::getSimpleName)
				.forEach(names::add);
			DeclaredValue value = property.hasValueTypeDeserializer() ? DeclaredValue.ANYTHING
					: value(property.getValueDeserializer());
			list.add(new DeclaredValue.Member(List.copyOf(names), property.getType().getRawClass().getSimpleName(),
					value));
		});
	}

	/**
	 * Returns whether a list already contains a property with a name. Jackson lists a
	 * property of a creator twice: as a property of the creator, and among all
	 * properties.
	 */
	private static boolean isIn(List<DeclaredValue.Member> list, String name) {
		return list.stream().anyMatch((member) -> member.names().get(0).equals(name));
	}

	private Set<JsonType> refused(ValueDeserializer<?> deserializer) {
		Set<JsonType> refused = EnumSet.noneOf(JsonType.class);
		for (JsonType type : JsonType.values()) {
			if (refuses(deserializer, type)) {
				refused.add(type);
			}
		}
		return refused;
	}

	/**
	 * Returns whether a deserializer refuses a JSON type. A deserializer of objects never
	 * counts as refusing objects, and a deserializer of arrays never as refusing arrays,
	 * because it may refuse a sample only for the sample's content.
	 */
	private boolean refuses(ValueDeserializer<?> deserializer, JsonType type) {
		boolean takesObjects = deserializer instanceof BeanDeserializer || deserializer instanceof MapDeserializer;
		boolean takesArrays = deserializer instanceof ContainerDeserializerBase<?>
				&& !(deserializer instanceof MapDeserializer);
		if ((takesObjects && type == JsonType.OBJECT) || (takesArrays && type == JsonType.ARRAY)) {
			return false;
		}
		return type.samples().stream().allMatch((sample) -> {
			try (JsonParser parser = this.context.tokenStreamFactory().createParser(this.context, sample)) {
				parser.nextToken();
				return refuses(this.context, deserializer, parser);
			}
		});
	}

	private static boolean refusesText(DeserializationContext context, ValueDeserializer<?> deserializer, String text) {
		try (TokenBuffer buffer = TokenBuffer.forGeneration()) {
			buffer.writeString(text);
			return refuses(context, deserializer, buffer.asParserOnFirstToken(context));
		}
	}

	private static boolean refuses(DeserializationContext context, ValueDeserializer<?> deserializer,
			JsonParser parser) {
		try {
			deserializer.deserialize(parser, context);
			return false;
		}
		catch (MismatchedInputException | ValueInstantiationException ex) {
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

}
