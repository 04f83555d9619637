package dev.reflector.client.internal.bind;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;

/**
 * Finds how to read the value of a property from an object: from the field with its name,
 * or otherwise with a getter. A field is preferred, because a getter may return another
 * value, such as a masked text.
 */
final class ComponentAccess {

	private static final String[] PREFIXES = { "", "get", "is" };

	private final DeserializationContext context;

	private final JavaType type;

	private final RecordComponent[] components;

	private final Set<Field> used = new HashSet<>();

	ComponentAccess(DeserializationContext context, JavaType type) {
		this.context = context;
		this.type = type;
		this.components = type.getRawClass().isRecord() ? type.getRawClass().getRecordComponents()
				: new RecordComponent[0];
	}

	/**
	 * Finds how to read the value that a member sets.
	 * @param member the member that sets the value
	 * @param name the name of the property in JSON
	 * @param value the type of the value
	 * @return how to read the value from an object, or {@code null} if it cannot be read
	 */
	@Nullable Way getter(@Nullable AnnotatedMember member, String name, JavaType value) {
		Member own = (member != null) ? member.getMember() : null;
		if (own instanceof Field field && field.getDeclaringClass().isAssignableFrom(this.type.getRawClass())) {
			return handle(field);
		}
		if (own instanceof Method method && isGetter(method)
				&& method.getDeclaringClass().isAssignableFrom(this.type.getRawClass())) {
			return handle(method);
		}
		RecordComponent component = (member instanceof AnnotatedParameter parameter) ? component(parameter) : null;
		if (component != null) {
			return getter(Set.of(component.getName()), value);
		}
		return getter(names(member, name), value);
	}

	/**
	 * Finds how to read the value of a field.
	 * @param field the field
	 * @param value the type of the value
	 * @return how to read the value from an object, or {@code null} if the field cannot
	 * be read or does not fit this type
	 */
	@Nullable Way getter(Field field, JavaType value) {
		return fits(field.getGenericType(), field.getDeclaringClass(), value) ? handle(field) : null;
	}

	/**
	 * Finds the map or tree into which properties without a component are read.
	 * @param property the setter that fills the map or tree
	 * @return how to read the map or tree from an object, or {@code null} if it is not
	 * found
	 */
	@Nullable Way container(BeanProperty property) {
		AnnotatedMember member = property.getMember();
		if (member != null && member.getMember() instanceof Field field) {
			return handle(field);
		}
		RecordComponent component = (member instanceof AnnotatedParameter parameter) ? component(parameter) : null;
		List<Field> fields = Stream.of(this.type.getRawClass().getDeclaredFields())
			.filter((field) -> !Modifier.isStatic(field.getModifiers())
					&& (Map.class.isAssignableFrom(field.getType()) || JsonNode.class.isAssignableFrom(field.getType()))
					&& (component == null || field.getName().equals(component.getName())))
			.toList();
		return (fields.size() == 1) ? handle(fields.get(0)) : null;
	}

	private @Nullable Way getter(Set<String> names, JavaType value) {
		for (String name : names) {
			Way handle = field(name, value);
			if (handle != null) {
				return handle;
			}
		}
		for (String name : names) {
			Way handle = method(name, value);
			if (handle != null) {
				return handle;
			}
		}
		return null;
	}

	/**
	 * Returns the component of a record for a parameter of its constructor, or
	 * {@code null} for none.
	 */
	private @Nullable RecordComponent component(AnnotatedParameter parameter) {
		RecordComponent[] components = this.components;
		if (components.length == 0 || !(parameter.getOwner().getAnnotated() instanceof Constructor<?> constructor)) {
			return null;
		}
		Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		return Arrays.equals(types, constructor.getParameterTypes()) ? components[parameter.getIndex()] : null;
	}

	/** Returns whether every field of the type was found as the field of a property. */
	boolean isComplete() {
		return this.used.containsAll(fields(this.type.getRawClass()));
	}

	/**
	 * Returns the instance fields of a type.
	 * @param type the type
	 * @return the fields that the type and its superclasses declare, without static
	 * fields
	 */
	static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
			Stream.of(part.getDeclaredFields())
				.filter((field) -> !Modifier.isStatic(field.getModifiers()))
				.forEach(fields::add);
		}
		return fields;
	}

	/** Returns the possible names of the field that has the value of a property. */
	private Set<String> names(@Nullable AnnotatedMember member, String name) {
		Set<String> names = new LinkedHashSet<>();
		if (member instanceof AnnotatedMethod method) {
			String own = method.getName();
			for (String prefix : new String[] { "set", "with", "get" }) {
				if (own.startsWith(prefix) && own.length() > prefix.length()) {
					String rest = own.substring(prefix.length());
					names.add(Character.toLowerCase(rest.charAt(0)) + rest.substring(1));
					names.add(rest);
				}
			}
			names.add(own);
		}
		else if (member != null) {
			String implicit = this.context.getAnnotationIntrospector()
				.findImplicitPropertyName(this.context.getConfig(), member);
			if (implicit != null && !implicit.isEmpty()) {
				names.add(implicit);
			}
		}
		names.add(name);
		return names;
	}

	private @Nullable Way field(String name, JavaType value) {
		for (Class<?> part = this.type.getRawClass(); part != null
				&& part != Object.class; part = part.getSuperclass()) {
			for (Field field : part.getDeclaredFields()) {
				if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())
						&& fits(field.getGenericType(), part, value)) {
					return handle(field);
				}
			}
		}
		return null;
	}

	private @Nullable Way method(String name, JavaType value) {
		for (String prefix : PREFIXES) {
			String wanted = prefix.isEmpty() ? name
					: prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
			for (Class<?> part = this.type.getRawClass(); part != null
					&& part != Object.class; part = part.getSuperclass()) {
				for (Method method : part.getDeclaredMethods()) {
					if (method.getName().equals(wanted) && isGetter(method)
							&& fits(method.getGenericReturnType(), part, value)) {
						return handle(method);
					}
				}
			}
		}
		return null;
	}

	private static boolean isGetter(Method method) {
		return method.getParameterCount() == 0 && method.getReturnType() != void.class
				&& !Modifier.isStatic(method.getModifiers()) && !method.isBridge();
	}

	/**
	 * Returns whether the declared type of a field or getter fits the type of the values.
	 */
	private boolean fits(Type declared, Class<?> owner, JavaType value) {
		JavaType supertype = this.type.findSuperType(owner);
		JavaType found = this.context.getTypeFactory()
			.resolveMemberType(declared, ((supertype != null) ? supertype : this.type).getBindings());
		if (found.equals(value) || isValueOf(found.getRawClass(), value.getRawClass())) {
			return true;
		}
		Class<?> raw = wrapped(found.getRawClass());
		Class<?> wanted = wrapped(value.getRawClass());
		if (raw == wanted || raw.isAssignableFrom(wanted) || wanted.isAssignableFrom(raw)) {
			// a field or getter whose elements have another type does not belong to the
			// property
			return found.containedTypeCount() == 0 || value.containedTypeCount() == 0 || found.getContentType() == null
					|| value.getContentType() == null || isSame(found.getContentType(), value.getContentType());
		}
		return false;
	}

	private static boolean isValueOf(Class<?> kept, Class<?> type) {
		Method unboxing = ValueClasses.unboxing(type);
		return unboxing != null && unboxing.getReturnType() == kept;
	}

	private static Class<?> wrapped(Class<?> type) {
		return MethodType.methodType(type).wrap().returnType();
	}

	private static boolean isSame(JavaType one, JavaType other) {
		return one.getRawClass().isAssignableFrom(other.getRawClass())
				|| other.getRawClass().isAssignableFrom(one.getRawClass());
	}

	private @Nullable Way handle(Field field) {
		this.used.add(field);
		return accessible(field) ? handle(field.getType(), () -> MethodHandles.lookup().unreflectGetter(field)) : null;
	}

	static @Nullable Way handle(Method method) {
		return accessible(method) ? handle(method.getReturnType(), () -> MethodHandles.lookup().unreflect(method))
				: null;
	}

	private static boolean accessible(AccessibleObject member) {
		try {
			return member.trySetAccessible();
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static @Nullable Way handle(Class<?> type, Unreflection unreflection) {
		try {
			return new Way(unreflection.handle().asType(MethodType.methodType(Object.class, Object.class)), type);
		}
		catch (IllegalAccessException ex) {
			return null;
		}
	}

	/**
	 * How to read the value of a component from an object.
	 *
	 * @param handle reads the value; its type is {@code (Object) -> Object}
	 * @param type the type of the field or getter
	 */
	record Way(MethodHandle handle, Class<?> type) {

		@Nullable Object get(Object from) {
			try {
				return (Object) this.handle.invokeExact(from);
			}
			catch (RuntimeException | Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throw new UndeclaredThrowableException(ex);
			}
		}

	}

	/** Makes a method handle for a member. */
	@FunctionalInterface
	private interface Unreflection {

		MethodHandle handle() throws IllegalAccessException;

	}

}
