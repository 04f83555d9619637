package dev.reflector.client.internal.bind;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.source.JvmFailureException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.jdk.StringCollectionDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Finds the shape of a type in the deserializers that Jackson has made for it. Where one
 * is not exactly of a class known here, all is taken.
 */
public final class ShapeReader extends StdDeserializer<ShapeReader.Reading> {

	private static final Object TYPE = ShapeReader.class.getName() + ".type";

	private static final Object INJECTED = ShapeReader.class.getName() + ".injected";

	ShapeReader() {
		super(Reading.class);
	}

	/**
	 * The shape of a type.
	 * @param reader reads objects, with a mapper for objects of a server
	 * @param type the type
	 * @return how much of an object the type takes; all, whenever the reader does
	 * anything with the rest but to pass over it
	 */
	public static Shape shape(ObjectReader reader, Class<?> type) {
		return read(reader, type).shape();
	}

	/**
	 * What is to be known of a type to read its objects.
	 * @param reader reads objects, with a mapper for objects of a server
	 * @param type the type
	 * @return what is known of it
	 */
	static Reading read(ObjectReader reader, Class<?> type) {
		if (!passesOver(reader)) {
			return Reading.UNKNOWN;
		}
		try {
			return reader.forType(Reading.class)
				.withAttribute(TYPE, type)
				.withAttribute(INJECTED, reader.getInjectableValues())
				.readValue("{}");
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// if anything is wrong with the type, reading an object will say so
			return Reading.UNKNOWN;
		}
	}

	private static boolean passesOver(ObjectReader reader) {
		DeserializationConfig config = reader.getConfig();
		StreamReadConstraints constraints = reader.parserFactory().streamReadConstraints();
		return reader.parserFactory().getClass() == JsonFactory.class
				&& ((JsonFactory) reader.parserFactory()).getInputDecorator() == null
				&& config.getProblemHandlers() == null
				&& !config.isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
				&& !config.isEnabled(DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES)
				&& !config.isEnabled(StreamReadFeature.STRICT_DUPLICATE_DETECTION) && !constraints.hasMaxTokenCount()
				&& !constraints.hasMaxDocumentLength();
	}

	@Override
	public Reading deserialize(JsonParser parser, DeserializationContext context) {
		parser.skipChildren();
		JavaType type = context.constructType((Class<?>) context.getAttribute(TYPE));
		Search search = new Search(context);
		ValueDeserializer<?> root = context.findRootValueDeserializer(type);
		Shape shape = search.shape(root);
		return new Reading(shape, search.closed && context.getAttribute(INJECTED) == null,
				Bindings.find(root, context));
	}

	/** Whether elements are added one by one to what is empty at first. */
	static boolean beginsEmpty(@Nullable ValueInstantiator instantiator) {
		return instantiator != null && instantiator.canCreateUsingDefault() && !instantiator.canCreateFromObjectWith()
				&& !instantiator.canCreateUsingDelegate() && !instantiator.canCreateUsingArrayDelegate();
	}

	/** Whether a part is Jackson's own or ours. */
	static boolean isKnown(Object part) {
		String name = part.getClass().getName();
		return name.startsWith("tools.jackson.") || part.getClass().getPackage() == ShapeReader.class.getPackage();
	}

	/**
	 * How objects of a type are read.
	 *
	 * @param shape how much of an object the type takes
	 * @param closed whether none but Jackson's own and ours ever see the parser
	 * @param binding how they are made without a parser, {@code null} when they are not
	 */
	record Reading(Shape shape, boolean closed, @Nullable Binding binding) {

		static final Reading UNKNOWN = new Reading(Shape.ALL, false, null);

		Reading withoutBinding() {
			return new Reading(this.shape, this.closed, null);
		}

	}

	/** The shapes of one type and of those that it is made of. */
	private static final class Search {

		private final DeserializationContext context;

		// one type may have several, as annotations where it is used say
		private final Map<BeanDeserializer, Shape> known = new IdentityHashMap<>();

		private boolean closed = true;

		Search(DeserializationContext context) {
			this.context = context;
		}

		Shape shape(@Nullable ValueDeserializer<?> candidate) {
			if (candidate == null) {
				this.closed = false;
				return Shape.ALL;
			}
			ValueDeserializer<?> deserializer = (candidate instanceof ArrayMaps maps) ? maps.getDelegatee() : candidate;
			if (deserializer.getClass() == BeanDeserializer.class) {
				return properties((BeanDeserializer) deserializer);
			}
			if (deserializer.getClass() == CollectionDeserializer.class) {
				Shape each = content((ContainerDeserializerBase<?>) deserializer);
				return (each != Shape.ALL) ? new Shape.Elements(each) : Shape.ALL;
			}
			if (deserializer.getClass() == MapDeserializer.class) {
				Shape each = content((ContainerDeserializerBase<?>) deserializer);
				this.closed &= hasPlainKeys((MapDeserializer) deserializer);
				return (each != Shape.ALL) ? new Shape.Entries(each) : Shape.ALL;
			}
			// a token buffer keeps a part of the parser
			this.closed &= isKnown(deserializer) && deserializer.handledType() != TokenBuffer.class
					&& (deserializer instanceof StdScalarDeserializer || isOfStrings(deserializer));
			return Shape.ALL;
		}

		private boolean hasPlainKeys(MapDeserializer deserializer) {
			JavaType type = deserializer.getValueType(this.context).getKeyType();
			KeyDeserializer keys = this.context.findKeyDeserializer(type, null);
			return type.hasRawClass(String.class) && !type.hasHandlers() && (keys == null || isKnown(keys));
		}

		private static boolean isOfStrings(ValueDeserializer<?> deserializer) {
			if (!(deserializer instanceof StringCollectionDeserializer strings)) {
				return false;
			}
			ValueDeserializer<?> each = strings.getContentDeserializer();
			return beginsEmpty(strings.getValueInstantiator()) && isKnown(strings.getValueInstantiator())
					&& (each == null || isKnown(each));
		}

		private Shape content(ContainerDeserializerBase<?> container) {
			ValueInstantiator instantiator = container.getValueInstantiator();
			if (!beginsEmpty(instantiator)) {
				this.closed = false;
				return Shape.ALL;
			}
			JavaType type = container.getContentType();
			// of what has subtypes, one property says which others there are
			boolean one = type != null && !type.hasHandlers() && this.context.findTypeDeserializer(type) == null;
			this.closed &= one && isKnown(instantiator);
			return one ? shape(container.getContentDeserializer()) : Shape.ALL;
		}

		private Shape properties(BeanDeserializer deserializer) {
			if (!new BeanDetails(deserializer, this.context).isPlain()) {
				this.closed = false;
				return Shape.ALL;
			}
			this.closed &= isKnown(deserializer.getValueInstantiator());
			Shape known = this.known.get(deserializer);
			if (known != null) {
				return known;
			}
			Shape.Properties shape = new Shape.Properties();
			this.known.put(deserializer, shape);
			Map<String, Shape> properties = new LinkedHashMap<>();
			Map<String, Shape> aliases = new LinkedHashMap<>();
			add(properties, aliases, deserializer.properties());
			add(properties, aliases, deserializer.creatorProperties());
			// of what has several meanings, all is kept
			aliases.forEach((alias, taken) -> properties.merge(alias, taken, Search::both));
			shape.are(properties);
			return shape;
		}

		private void add(Map<String, Shape> properties, Map<String, Shape> aliases,
				Iterator<SettableBeanProperty> candidates) {
			candidates.forEachRemaining((property) -> {
				this.closed &= isKnown(property) && !property.hasValueTypeDeserializer();
				Shape shape = property.hasValueTypeDeserializer() ? Shape.ALL : shape(property.getValueDeserializer());
				properties.put(property.getName(), shape);
				aliases(property).forEach((alias) -> aliases.merge(alias.getSimpleName(), shape, Search::both));
			});
		}

		private static Shape both(Shape one, Shape other) {
			return one.equals(other) ? one : Shape.ALL;
		}

		private List<PropertyName> aliases(SettableBeanProperty property) {
			return property.findAliases(this.context.getConfig());
		}

	}

}
