package dev.reflector.client.internal.bind;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.deser.std.StdConvertingDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;

/**
 * Finds components that would not be written as their type declares them.
 * {@link ObjectWriting} writes what Jackson reads, and ignores some annotations, mix-ins
 * and serializers of the application that only concern writing.
 */
final class UnsentComponents {

	private final DeserializationContext context;

	private final ApplicationJson application;

	private final Set<ValueDeserializer<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());

	private @Nullable UnsentComponent found;

	private UnsentComponents(DeserializationContext context, ApplicationJson application) {
		this.context = context;
		this.application = application;
	}

	/**
	 * Searches a type.
	 * @param context the context in which Jackson reads objects of the type
	 * @param application the serializers of the application
	 * @param type the type
	 * @return the result of the search
	 */
	static UnsentComponents of(DeserializationContext context, ApplicationJson application, Class<?> type) {
		UnsentComponents components = new UnsentComponents(context, application);
		JavaType root = context.constructType(type);
		components.visit(context.findRootValueDeserializer(root), root, "");
		return components;
	}

	/** Returns the first component that was found, or {@code null} for none. */
	@Nullable UnsentComponent first() {
		return this.found;
	}

	private void visit(@Nullable ValueDeserializer<?> candidate, JavaType type, String path) {
		ValueDeserializer<?> deserializer = (candidate instanceof ArrayMaps maps) ? maps.getDelegatee() : candidate;
		if (deserializer == null || this.found != null || !isFollowed(deserializer, type)
				|| !this.seen.add(deserializer)) {
			return;
		}
		if (deserializer instanceof BeanDeserializerBase bean) {
			bean(bean, type, path);
		}
		else if (deserializer instanceof ContainerDeserializerBase<?> container) {
			JavaType content = container.getContentType();
			if (content != null && KnownParts.isOneType(content, this.context)) {
				visit(container.getContentDeserializer(), content, path);
			}
		}
		else if (deserializer instanceof ReferenceTypeDeserializer<?> reference) {
			JavaType content = reference.getValueType().getContentType();
			if (KnownParts.isOneType(content, this.context)) {
				visit(this.context.findContextualValueDeserializer(content, null), content, path);
			}
		}
	}

	/**
	 * Returns whether a value is written property by property, as Jackson reads it, and
	 * not by a serializer of the application.
	 */
	private static boolean isFollowed(ValueDeserializer<?> deserializer, JavaType type) {
		return KnownParts.isKnown(deserializer) && !(deserializer instanceof StdConvertingDeserializer<?>)
				&& OfficialScalars.find(type.getRawClass()) == null;
	}

	private void bean(BeanDeserializerBase bean, JavaType type, String path) {
		BeanForm form = new BeanForm(bean);
		if (form.delegate() != null || form.arrayDelegate() != null) {
			return;
		}
		BeanDescription reading = this.context.introspectBeanDescription(type);
		Map<String, BeanProperty> read = read(bean, form, reading);
		ApplicationJson.Written written = this.application.written(type);
		if (written.serialized()) {
			report(path, UnsentComponent.Reason.SERIALIZER);
		}
		if (written.filtered()) {
			report(path, UnsentComponent.Reason.KEPT_OUT);
		}
		if (includesOtherwise(reading.getClassInfo())) {
			report(path, UnsentComponent.Reason.INCLUSION);
		}
		declared(type.getRawClass(), written, reading).forEach((name, component) -> {
			if (!isBoth(component, read, written) && !isRest(component, form, written)) {
				report(below(path, name), UnsentComponent.Reason.KEPT_OUT);
			}
		});
		written.explicit()
			.stream()
			.filter((name) -> !read.containsKey(name))
			.findFirst()
			.ifPresent((name) -> report(below(path, name), UnsentComponent.Reason.ADDED));
		if (form.rest() == null && written.anyGetter() != null) {
			report(below(path, written.anyGetter()), UnsentComponent.Reason.ADDED);
		}
		read.forEach((name, property) -> property(property, below(path, name)));
	}

	private static Map<String, BeanProperty> read(BeanDeserializerBase bean, BeanForm form, BeanDescription reading) {
		Map<String, BeanProperty> read = new LinkedHashMap<>();
		Stream.of(bean.creatorProperties(), bean.properties())
			.forEach((properties) -> properties.forEachRemaining((property) -> {
				if (!property.isIgnorable() && !property.isInjectionOnly() && !form.ignores(property.getName())) {
					read.putIfAbsent(property.getName(), property);
				}
			}));
		if (form.listsLess()) {
			BeanWriters.unlisted(reading).forEach((property) -> read.putIfAbsent(property.getName(), property));
		}
		return read;
	}

	/**
	 * Returns the components of a record, or the fields of a bean that the application
	 * writes or has excluded. The keys are their names in Java, and the values are their
	 * names in JSON.
	 */
	private static Map<String, String> declared(Class<?> type, ApplicationJson.Written written,
			BeanDescription reading) {
		Map<String, String> names = new LinkedHashMap<>(written.names());
		reading.findProperties()
			.forEach((property) -> names.putIfAbsent(property.getInternalName(), property.getName()));
		Map<String, String> declared = new LinkedHashMap<>();
		if (type.isRecord()) {
			for (RecordComponent component : type.getRecordComponents()) {
				declared.put(component.getName(), names.getOrDefault(component.getName(), component.getName()));
			}
			return declared;
		}
		Set<String> excluded = new HashSet<>(reading.getIgnoredPropertyNames());
		for (Field field : type.getDeclaredFields()) {
			String name = field.getName();
			if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
					&& (names.containsKey(name) || excluded.contains(name))) {
				declared.put(name, names.getOrDefault(name, name));
			}
		}
		return declared;
	}

	private static boolean isBoth(String name, Map<String, BeanProperty> read, ApplicationJson.Written written) {
		return read.containsKey(name) && (written.serialized() || written.properties().contains(name));
	}

	private static boolean isRest(String name, BeanForm form, ApplicationJson.Written written) {
		return form.rest() != null && written.anyGetter() != null
				&& form.rest().getProperty().getMember().getName().equals(written.anyGetter());
	}

	private void property(BeanProperty property, String path) {
		if (!(property instanceof SettableBeanProperty settable)) {
			return;
		}
		AnnotatedMember member = property.getMember();
		ValueDeserializer<?> deserializer = settable.getValueDeserializer();
		boolean followed = deserializer != null && isFollowed(deserializer, property.getType());
		if (includesOtherwise(member)) {
			report(path, UnsentComponent.Reason.INCLUSION);
		}
		if (followed && isShapedOtherwise(member, property.getType())) {
			report(path, UnsentComponent.Reason.SHAPE);
		}
		if (followed && this.application.hasSerializer(property)) {
			report(path, UnsentComponent.Reason.SERIALIZER);
		}
		if (!settable.hasValueTypeDeserializer()) {
			visit(deserializer, property.getType(), path);
		}
	}

	/**
	 * Returns whether an annotation omits values other than {@code null}, or writes
	 * {@code null}.
	 */
	private boolean includesOtherwise(Annotated annotated) {
		MapperConfig<?> config = this.context.getConfig();
		JsonInclude.Value inclusion = this.context.getAnnotationIntrospector().findPropertyInclusion(config, annotated);
		// for the content, ALWAYS is the default of the annotation
		return inclusion != null && (isOther(inclusion.getValueInclusion()) || (isOther(inclusion.getContentInclusion())
				&& inclusion.getContentInclusion() != JsonInclude.Include.ALWAYS));
	}

	private static boolean isOther(JsonInclude.Include inclusion) {
		return inclusion != JsonInclude.Include.USE_DEFAULTS && inclusion != JsonInclude.Include.NON_NULL;
	}

	/**
	 * Returns whether an annotation gives a number or boolean the shape of a text, or
	 * another value the shape of a number.
	 */
	private boolean isShapedOtherwise(AnnotatedMember member, JavaType type) {
		JsonFormat.Value format = this.context.getAnnotationIntrospector().findFormat(this.context.getConfig(), member);
		if (format == null) {
			return false;
		}
		Class<?> raw = type.getRawClass();
		boolean number = Number.class.isAssignableFrom(raw);
		return (format.getShape() == JsonFormat.Shape.STRING) ? number || raw == Boolean.class
				: format.getShape().isNumeric() && !number;
	}

	private void report(String path, UnsentComponent.Reason reason) {
		if (this.found == null) {
			this.found = new UnsentComponent(path, reason);
		}
	}

	private static String below(String path, String name) {
		return path.isEmpty() ? name : path + "." + name;
	}

}
