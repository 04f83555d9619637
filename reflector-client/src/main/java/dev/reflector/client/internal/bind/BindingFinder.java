package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.deser.CreatorProperty;
import tools.jackson.databind.deser.NullValueProvider;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.impl.NullsAsEmptyProvider;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.jdk.StringCollectionDeserializer;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;
import tools.jackson.databind.util.AccessPattern;

/**
 * Finds the binding of a type, according to the deserializers that Jackson has created
 * for it. A record has a binding if its components are strings, integers, booleans,
 * times, or lists, maps and records of these. If a deserializer has a class that is not
 * supported here, there is no binding.
 */
final class BindingFinder {

	private final DeserializationContext context;

	// a type may have several deserializers, because annotations at its uses may differ
	private final Map<BeanDeserializer, RecordBinding> known = new IdentityHashMap<>();

	private boolean complete = true;

	private BindingFinder(DeserializationContext context) {
		this.context = context;
	}

	/**
	 * Returns the binding of a type.
	 * @param root Jackson's deserializer of the type
	 * @param context the context in which Jackson reads objects
	 * @return the binding, or {@code null} if there is none
	 */
	static @Nullable Binding find(ValueDeserializer<?> root, DeserializationContext context) {
		if (root.getClass() != BeanDeserializer.class || context.getActiveView() != null
				|| context.isEnabled(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
				|| context.isEnabled(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)) {
			return null;
		}
		try {
			BindingFinder finder = new BindingFinder(context);
			Binding binding = finder.of(root);
			return finder.complete ? binding : null;
		}
		catch (RuntimeException ex) {
			// a deserializer of the application may throw this, because the search calls
			// methods that Jackson usually does not call
			return null;
		}
	}

	/**
	 * Returns the binding for a deserializer. The result must be used only if
	 * {@link #complete} is still {@code true}.
	 */
	private Binding of(@Nullable ValueDeserializer<?> deserializer) {
		if (deserializer == null) {
			return none();
		}
		Class<?> type = deserializer.getClass();
		if (type == BeanDeserializer.class) {
			return components((BeanDeserializer) deserializer);
		}
		if (type == ArrayMaps.class) {
			ValueDeserializer<?> values = ((ArrayMaps) deserializer).values();
			return (values != null) ? new Binding.Entries(of(values)) : none();
		}
		if (type == CollectionDeserializer.class) {
			ContainerDeserializerBase<?> lists = (ContainerDeserializerBase<?>) deserializer;
			return (KnownParts.isOneType(lists.getContentType(), this.context) && makesArrayLists(lists))
					? new Binding.Elements(of(lists.getContentDeserializer())) : none();
		}
		if (type == StringCollectionDeserializer.class) {
			ContainerDeserializerBase<?> lists = (ContainerDeserializerBase<?>) deserializer;
			ValueDeserializer<?> each = lists.getContentDeserializer();
			return makesArrayLists(lists) ? new Binding.Elements((each != null) ? of(each) : new Binding.Text())
					: none();
		}
		return scalar(deserializer);
	}

	private static boolean isNumberOrFlag(Object part) {
		return part instanceof NumberDeserializers.IntegerDeserializer
				|| part instanceof NumberDeserializers.LongDeserializer
				|| part instanceof NumberDeserializers.BooleanDeserializer;
	}

	private Binding scalar(ValueDeserializer<?> deserializer) {
		if (deserializer instanceof SharedStrings strings) {
			return new Binding.Text(strings.pool());
		}
		if (deserializer == StringDeserializer.instance) {
			return new Binding.Text();
		}
		if (deserializer instanceof NumberDeserializers.IntegerDeserializer) {
			return new Binding.Whole(false);
		}
		if (deserializer instanceof NumberDeserializers.LongDeserializer) {
			return new Binding.Whole(true);
		}
		if (deserializer instanceof NumberDeserializers.BooleanDeserializer) {
			return new Binding.Flag();
		}
		return (deserializer == InstantDeserializer.INSTANT
				&& !this.context.isEnabled(DateTimeFeature.TRUNCATE_TO_MSECS_ON_READ)) ? new Binding.Time() : none();
	}

	private Binding none() {
		this.complete = false;
		return new Binding.Flag();
	}

	private boolean makesArrayLists(ContainerDeserializerBase<?> lists) {
		ValueInstantiator instantiator = lists.getValueInstantiator();
		return KnownParts.beginsEmpty(instantiator) && KnownParts.isKnown(instantiator)
				&& lists.getValueType(this.context).hasRawClass(ArrayList.class);
	}

	private Binding components(BeanDeserializer deserializer) {
		RecordBinding known = this.known.get(deserializer);
		if (known != null) {
			return known;
		}
		BeanDetails details = new BeanDetails(deserializer, this.context);
		if (!details.isPlain() || details.injects()
				|| !(deserializer.getValueInstantiator() instanceof DirectConstructor constructor)) {
			return none();
		}
		RecordBinding components = new RecordBinding(constructor);
		this.known.put(deserializer, components);
		Map<String, RecordBinding.Component> byName = new LinkedHashMap<>();
		@Nullable Object[] absent = new Object[constructor.arguments()];
		int found = add(deserializer.creatorProperties(), details, byName, absent);
		deserializer.properties()
			.forEachRemaining((property) -> this.complete &= byName.containsKey(property.getName())
					&& property.getClass() == CreatorProperty.class);
		this.complete &= found == absent.length && found <= RecordBinding.MOST;
		components.setComponents(byName, absent);
		return components;
	}

	/**
	 * Returns whether JSON's null always becomes the same value. For primitives, a
	 * setting of the mapper decides whether null is an error or zero.
	 */
	private boolean isConstant(NullValueProvider nulls, ValueDeserializer<?> value) {
		if (isNumberOrFlag(nulls)) {
			return !this.context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
		}
		return nulls.getNullAccessPattern() != AccessPattern.DYNAMIC
				|| (nulls instanceof NullsAsEmptyProvider && isNumberOrFlag(value));
	}

	/**
	 * Adds a component under a name. Sets {@link #complete} to {@code false} if another
	 * component has the name already, if Jackson ignores the name, or if UTF-8 cannot
	 * encode it.
	 */
	private void add(String name, RecordBinding.Component component, BeanDetails details,
			Map<String, RecordBinding.Component> byName) {
		this.complete &= byName.put(name, component) == null && !details.ignores(name)
				&& StandardCharsets.UTF_8.newEncoder().canEncode(name);
	}

	/**
	 * Adds components by their names. For each component, also adds the argument to use
	 * if its property is absent.
	 * @return the number of added components
	 */
	private int add(Iterator<SettableBeanProperty> properties, BeanDetails details,
			Map<String, RecordBinding.Component> byName, @Nullable Object[] absent) {
		int found = 0;
		while (properties.hasNext() && this.complete) {
			SettableBeanProperty property = properties.next();
			NullValueProvider nulls = property.getNullValueProvider();
			if (property.getClass() != CreatorProperty.class || property.hasValueTypeDeserializer()
					|| property.getInjectionDefinition() != null || property.isIgnorable()
					|| !isConstant(nulls, property.getValueDeserializer())) {
				this.complete = false;
				return found;
			}
			int place = property.getCreatorIndex();
			RecordBinding.Component before = byName.get(property.getName());
			if (before != null && before.place() == place) {
				// Jackson lists a property again for each alias
				continue;
			}
			Binding binding = of(property.getValueDeserializer());
			if (!this.complete) {
				return found;
			}
			RecordBinding.Component component = new RecordBinding.Component(place, binding,
					nulls.getNullValue(this.context), property.isRequired());
			Object without = nulls.getAbsentValue(this.context);
			absent[place] = (without != null) ? without : property.getValueDeserializer().getAbsentValue(this.context);
			add(property.getName(), component, details, byName);
			property.findAliases(this.context.getConfig())
				.forEach((alias) -> add(alias.getSimpleName(), component, details, byName));
			found++;
		}
		return found;
	}

}
