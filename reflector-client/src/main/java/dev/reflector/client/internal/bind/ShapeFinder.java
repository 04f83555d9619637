package dev.reflector.client.internal.bind;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.jdk.StringCollectionDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Finds which parts of its objects a type uses, according to the deserializers that
 * Jackson has created for it. If the class of a deserializer is not supported here, the
 * whole value that it reads counts as used.
 */
final class ShapeFinder {

	private final DeserializationContext context;

	// a type may have several deserializers, because annotations at its uses may differ
	private final Map<BeanDeserializer, Shape> known = new IdentityHashMap<>();

	private boolean closed = true;

	ShapeFinder(DeserializationContext context) {
		this.context = context;
	}

	/**
	 * Returns whether all deserializers that were found belong to Jackson or to this
	 * package, so that no other code gets the parser.
	 */
	boolean isClosed() {
		return this.closed;
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
		// a token buffer keeps a reference to the parser
		this.closed &= KnownParts.isKnown(deserializer) && deserializer.handledType() != TokenBuffer.class
				&& (deserializer instanceof StdScalarDeserializer || isOfStrings(deserializer));
		return Shape.ALL;
	}

	private boolean hasPlainKeys(MapDeserializer deserializer) {
		JavaType type = deserializer.getValueType(this.context).getKeyType();
		KeyDeserializer keys = this.context.findKeyDeserializer(type, null);
		return type.hasRawClass(String.class) && !type.hasHandlers() && (keys == null || KnownParts.isKnown(keys));
	}

	private static boolean isOfStrings(ValueDeserializer<?> deserializer) {
		if (!(deserializer instanceof StringCollectionDeserializer strings)) {
			return false;
		}
		ValueDeserializer<?> each = strings.getContentDeserializer();
		return KnownParts.beginsEmpty(strings.getValueInstantiator())
				&& KnownParts.isKnown(strings.getValueInstantiator()) && (each == null || KnownParts.isKnown(each));
	}

	private Shape content(ContainerDeserializerBase<?> container) {
		ValueInstantiator instantiator = container.getValueInstantiator();
		if (!KnownParts.beginsEmpty(instantiator)) {
			this.closed = false;
			return Shape.ALL;
		}
		JavaType type = container.getContentType();
		// if there are subtypes, the value of one property decides which other properties
		// exist
		boolean one = KnownParts.isOneType(type, this.context);
		this.closed &= one && KnownParts.isKnown(instantiator);
		return one ? shape(container.getContentDeserializer()) : Shape.ALL;
	}

	private Shape properties(BeanDeserializer deserializer) {
		if (!new BeanDetails(deserializer, this.context).isPlain()) {
			this.closed = false;
			return Shape.ALL;
		}
		this.closed &= KnownParts.isKnown(deserializer.getValueInstantiator());
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
		// if several properties have the same name, the whole value is used
		aliases.forEach((alias, taken) -> properties.merge(alias, taken, ShapeFinder::both));
		shape.setProperties(properties);
		return shape;
	}

	private void add(Map<String, Shape> properties, Map<String, Shape> aliases,
			Iterator<SettableBeanProperty> candidates) {
		candidates.forEachRemaining((property) -> {
			this.closed &= KnownParts.isKnown(property) && !property.hasValueTypeDeserializer();
			Shape shape = property.hasValueTypeDeserializer() ? Shape.ALL : shape(property.getValueDeserializer());
			properties.put(property.getName(), shape);
			aliases(property).forEach((alias) -> aliases.merge(alias.getSimpleName(), shape, ShapeFinder::both));
		});
	}

	private static Shape both(Shape one, Shape other) {
		return one.equals(other) ? one : Shape.ALL;
	}

	private List<PropertyName> aliases(SettableBeanProperty property) {
		return property.findAliases(this.context.getConfig());
	}

}
