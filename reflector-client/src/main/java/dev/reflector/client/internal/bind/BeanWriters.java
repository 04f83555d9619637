package dev.reflector.client.internal.bind;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableAnyProperty;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanAsArrayBuilderDeserializer;
import tools.jackson.databind.deser.bean.BeanAsArrayDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.bean.BuilderBasedDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.util.NameTransformer;

/**
 * Finds the writers of records and beans. They write the properties that the reader of
 * the type binds.
 */
final class BeanWriters {

	private static final String NO_WAY_BACK = "Jackson reads it, and there is neither a field nor a getter "
			+ "that has its value";

	private final WriterFinder finder;

	private final DeserializationContext context;

	private final ApplicationJson application;

	private final WriterReport report;

	// a type may have several deserializers, because annotations at its uses may differ
	private final Map<BeanDeserializerBase, ComponentsWriter> known = new IdentityHashMap<>();

	BeanWriters(WriterFinder finder, DeserializationContext context, ApplicationJson application, WriterReport report) {
		this.finder = finder;
		this.context = context;
		this.application = application;
		this.report = report;
	}

	ValueWriter find(BeanDeserializerBase deserializer, Place place) {
		ComponentsWriter known = this.known.get(deserializer);
		if (known != null) {
			return known;
		}
		BeanForm form = new BeanForm(deserializer);
		if (deserializer.getObjectIdReader(this.context) != null) {
			this.report.identities();
		}
		ValueInstantiator instantiator = deserializer.getValueInstantiator();
		boolean named = deserializer.properties().hasNext() || form.rest() != null || form.listsLess();
		if (form.arrayDelegate() != null) {
			return single(form.arrayDelegate(), instantiator.getArrayDelegateType(this.context.getConfig()), place);
		}
		if (form.delegate() != null || (!named && !instantiator.canCreateUsingDefault())) {
			return single(form.delegate(),
					(form.delegate() != null) ? instantiator.getDelegateType(this.context.getConfig()) : null, place);
		}
		return components(deserializer, form, place);
	}

	/**
	 * Returns the writer of a type that Jackson reads from a single value instead of from
	 * properties.
	 */
	private ValueWriter single(@Nullable ValueDeserializer<Object> delegate, @Nullable JavaType content, Place place) {
		AnnotatedMember value = valueOf(place.type());
		if (value != null) {
			ComponentAccess.Way handle = new ComponentAccess(this.context, place.type()).getter(value, value.getName(),
					value.getType());
			if (handle != null) {
				return new SingleWriter(handle, (content != null && value.getType().equals(content))
						? this.finder.find(delegate, false, place.element(content)) : new ValueWriter.Untyped());
			}
		}
		ComponentAccess.Way field = (content != null) ? onlyField(place.type(), content) : onlyScalar(place.type());
		if (field == null) {
			ValueWriter own = this.application.custom(place.type(), place.property(), place.container() != null);
			if (own != null) {
				return own;
			}
			this.report.problem(place, "Jackson reads it from one value, and does not write that value");
			return this.application.whole(place.type());
		}
		return new SingleWriter(field,
				(content != null) ? this.finder.find(delegate, false, new Place(content, null, null, place.path()))
						: new ValueWriter.Untyped());
	}

	/** Returns the member with {@code @JsonValue}, or {@code null} for none. */
	private @Nullable AnnotatedMember valueOf(JavaType type) {
		return this.context.introspectBeanDescription(type).findJsonValueAccessor();
	}

	private ComponentAccess.@Nullable Way onlyField(JavaType type, JavaType content) {
		List<Field> fields = ComponentAccess.fields(type.getRawClass());
		return (fields.size() == 1) ? new ComponentAccess(this.context, type).getter(fields.get(0), content) : null;
	}

	private ComponentAccess.@Nullable Way onlyScalar(JavaType type) {
		List<Field> fields = ComponentAccess.fields(type.getRawClass());
		return (fields.size() == 1 && ScalarWriters.isPlain(fields.get(0).getType()))
				? new ComponentAccess(this.context, type).getter(fields.get(0),
						this.context.constructType(fields.get(0).getType()))
				: null;
	}

	/**
	 * Returns the writer of map keys whose type belongs to the application. Jackson
	 * creates such a key from its text.
	 * @param type the type of the keys
	 * @return the writer of keys, or {@code null} if there is no way to get the text from
	 * a key
	 */
	ValueWriter.@Nullable KeyNames keys(JavaType type) {
		AnnotatedMember value = valueOf(type);
		ComponentAccess.Way handle = (value != null)
				? new ComponentAccess(this.context, type).getter(value, value.getName(), value.getType())
				: onlyScalar(type);
		return (handle == null) ? null : (key, out, context) -> out.writeName(String.valueOf(handle.get(key)));
	}

	private ComponentsWriter components(BeanDeserializerBase deserializer, BeanForm form, Place place) {
		boolean array = deserializer instanceof BeanAsArrayDeserializer
				|| deserializer instanceof BeanAsArrayBuilderDeserializer;
		ComponentsWriter writer = new ComponentsWriter(array);
		this.known.put(deserializer, writer);
		JavaType type = (deserializer instanceof BuilderBasedDeserializer) ? place.type() : deserializer.getValueType();
		ComponentAccess access = new ComponentAccess(this.context, type);
		Object fresh = fresh(deserializer);
		List<ComponentsWriter.Part> parts = new ArrayList<>();
		List<Place> lost = new ArrayList<>();
		properties(deserializer, form, type, array).forEach((name, property) -> {
			Place component = place.component(property);
			if (form.ignores(name) || form.isRest(property)
					|| !this.report.component(component, () -> this.application.hides(type, name, property))) {
				return;
			}
			ComponentAccess.Way getter = access.getter(property.getMember(), name, property.getType());
			if (getter == null) {
				lost.add(component);
				return;
			}
			parts.add(part(property, getter, component, array, fresh));
		});
		writer.setComponents(parts, rest(form.rest(), access, place));
		if (array || !access.isComplete()) {
			// in all other cases, every field of the object is written, so no value is
			// lost
			lost.forEach((component) -> this.report.problem(component, NO_WAY_BACK));
		}
		return writer;
	}

	private ComponentsWriter.Part part(BeanProperty property, ComponentAccess.Way getter, Place place, boolean array,
			@Nullable Object fresh) {
		String name = property.getName();
		NameTransformer unwrapped = unwrapped(property.getMember());
		if (unwrapped != null) {
			ValueDeserializer<?> inner = this.context.findContextualValueDeserializer(property.getType(), property)
				.unwrappingDeserializer(this.context, unwrapped);
			return new ComponentsWriter.Inlined(name, getter, this.finder.find(inner, false, place));
		}
		ValueWriter value;
		boolean writesNull = true;
		if (property instanceof SettableBeanProperty settable) {
			Method unboxing = ValueClasses.unboxing(property.getType().getRawClass());
			value = (unboxing != null && unboxing.getReturnType() == getter.type())
					? this.finder.unboxed(unboxing.getGenericReturnType(), place)
					: this.finder.find(settable.getValueDeserializer(), settable.hasValueTypeDeserializer(), place);
			writesNull = writesNull(settable, getter, fresh);
		}
		else {
			// the type id of the value is written into another property
			value = this.finder.find(null, true, place);
		}
		return array ? new ComponentsWriter.Positioned(name, getter, value)
				: new ComponentsWriter.Component(new SerializedString(name), getter, value, writesNull);
	}

	private @Nullable NameTransformer unwrapped(@Nullable AnnotatedMember member) {
		return (member != null) ? this.context.getAnnotationIntrospector()
			.findUnwrappingNameTransformer(this.context.getConfig(), member) : null;
	}

	/**
	 * Returns the properties by their names. This removes duplicates, because Jackson
	 * lists a property again for each alias.
	 */
	private Map<String, BeanProperty> properties(BeanDeserializerBase deserializer, BeanForm form, JavaType type,
			boolean array) {
		Map<String, BeanProperty> properties = new LinkedHashMap<>();
		if (!array) {
			List<SettableBeanProperty> declared = new ArrayList<>();
			deserializer.creatorProperties().forEachRemaining(declared::add);
			declared.sort(Comparator.comparingInt(SettableBeanProperty::getCreatorIndex));
			declared.forEach((property) -> add(properties, property));
		}
		deserializer.properties().forEachRemaining((property) -> add(properties, property));
		if (form.listsLess()) {
			unlisted(this.context.introspectBeanDescription(type))
				.forEach((property) -> properties.putIfAbsent(property.getName(), property));
		}
		return properties;
	}

	/**
	 * Returns the properties of a type, including those that its deserializer does not
	 * list.
	 */
	static List<BeanProperty> unlisted(BeanDescription description) {
		List<BeanProperty> properties = new ArrayList<>();
		description.findProperties().forEach((definition) -> {
			AnnotatedMember member = definition.getNonConstructorMutator();
			if (member != null) {
				properties.add(new BeanProperty.Std(definition.getFullName(), definition.getPrimaryType(), null, member,
						definition.getMetadata()));
			}
		});
		return properties;
	}

	private static void add(Map<String, BeanProperty> properties, SettableBeanProperty property) {
		if (!property.isIgnorable() && !property.isInjectionOnly()) {
			properties.putIfAbsent(property.getName(), property);
		}
	}

	/**
	 * Returns a new object with its initial values, or {@code null} if none can be
	 * created.
	 */
	private @Nullable Object fresh(BeanDeserializerBase deserializer) {
		ValueInstantiator instantiator = deserializer.getValueInstantiator();
		if (deserializer instanceof BuilderBasedDeserializer || !instantiator.canCreateUsingDefault()
				|| instantiator.canCreateFromObjectWith()) {
			return null;
		}
		try {
			return instantiator.createUsingDefault(this.context);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Returns whether JSON's null is written for a component that is {@code null}.
	 * Otherwise, the component is omitted. It is omitted if the reader turns JSON's null
	 * into another value, or if the component is {@code null} in a new object anyway.
	 */
	private boolean writesNull(SettableBeanProperty property, ComponentAccess.Way getter, @Nullable Object fresh) {
		try {
			return property.getNullValueProvider().getNullValue(this.context) == null
					&& (fresh == null || getter.get(fresh) != null);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Returns the writer of properties that the type does not declare, or {@code null}
	 * for none.
	 */
	private ComponentsWriter.@Nullable Rest rest(@Nullable SettableAnyProperty any, ComponentAccess access,
			Place place) {
		if (any == null) {
			return null;
		}
		Place component = place.component(any.getProperty());
		AnnotatedMember getter = this.context.introspectBeanDescription(place.type()).findAnyGetter();
		ComponentAccess.Way handle = (getter != null) ? access.getter(getter, getter.getName(), getter.getType())
				: null;
		if (handle == null) {
			handle = access.container(any.getProperty());
		}
		if (handle == null) {
			this.report.problem(component, NO_WAY_BACK);
			return null;
		}
		ValueWriter values = this.finder.find(
				this.context.findContextualValueDeserializer(any.getType(), any.getProperty()), false,
				new Place(any.getType(), any.getProperty(), place.type(), component.path()));
		return new ComponentsWriter.Rest(handle, values);
	}

}
