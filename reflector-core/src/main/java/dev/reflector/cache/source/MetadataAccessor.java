package dev.reflector.cache.source;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Reads metadata from the component or property {@code metadata} of the mirrored type.
 * The type of the metadata must have the accessors {@code name} and
 * {@code resourceVersion}, and {@code namespace} unless the objects are cluster-scoped.
 * An accessor is a method such as {@code name()} or {@code getName()}, or a public field,
 * so the model classes of other clients work.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class MetadataAccessor<T> implements ResourceAccessor<T> {

	private static final MethodHandle NOTHING = MethodHandles.dropArguments(MethodHandles.constant(String.class, null),
			0, Object.class);

	private static final MethodHandle NO_TIME = MethodHandles.dropArguments(MethodHandles.constant(Object.class, null),
			0, Object.class);

	private final Class<T> type;

	private final MethodHandle metadata;

	private final MethodHandle name;

	private final MethodHandle namespace;

	private final MethodHandle resourceVersion;

	private final MethodHandle uid;

	private final MethodHandle creationTimestamp;

	private MetadataAccessor(Class<T> type, MethodHandle metadata, MethodHandle name, MethodHandle namespace,
			MethodHandle resourceVersion, MethodHandle uid, MethodHandle creationTimestamp) {
		this.type = type;
		this.metadata = metadata;
		this.name = name;
		this.namespace = namespace;
		this.resourceVersion = resourceVersion;
		this.uid = uid;
		this.creationTimestamp = creationTimestamp;
	}

	/**
	 * Creates the accessor of a type.
	 * @param <T> the type of the objects
	 * @param type the type
	 * @return the accessor
	 * @throws MissingMetadataException when the metadata of the type cannot be read
	 */
	public static <T> MetadataAccessor<T> forType(Class<T> type) {
		Member metadata = accessor(type, "metadata");
		if (metadata == null) {
			throw new MissingMetadataException(type, "it has no component, property or public field 'metadata'");
		}
		return reading(type, typeOf(type, metadata), handle(metadata, Object.class));
	}

	/**
	 * Creates an accessor for objects that are the metadata itself.
	 * @param <M> the type of the metadata
	 * @param type the type of the metadata
	 * @return the accessor
	 * @throws MissingMetadataException when the type lacks a required accessor
	 */
	public static <M> MetadataAccessor<M> forMetadata(Class<M> type) {
		return reading(type, type, MethodHandles.identity(Object.class));
	}

	private static <T> MetadataAccessor<T> reading(Class<T> type, Class<?> metadataType, MethodHandle metadata) {
		Member name = accessor(metadataType, "name");
		Member resourceVersion = accessor(metadataType, "resourceVersion");
		if (name == null || resourceVersion == null) {
			throw new MissingMetadataException(type, "its metadata type " + metadataType.getName()
					+ " has no accessor '" + ((name == null) ? "name" : "resourceVersion") + "' that returns a String");
		}
		return new MetadataAccessor<>(type, metadata, handle(name, String.class), optional(metadataType, "namespace"),
				handle(resourceVersion, String.class), optional(metadataType, "uid"), optionalTime(metadataType));
	}

	private static MethodHandle optionalTime(Class<?> metadataType) {
		Member member = find(metadataType, "creationTimestamp", (returned) -> !returned.isPrimitive());
		return (member != null) ? handle(member, Object.class) : NO_TIME;
	}

	private static MethodHandle optional(Class<?> metadataType, String property) {
		Member member = accessor(metadataType, property);
		return (member != null) ? handle(member, String.class) : NOTHING;
	}

	private static @Nullable Member accessor(Class<?> type, String property) {
		return find(type, property, (returned) -> property.equals("metadata") || returned == String.class);
	}

	private static @Nullable Member find(Class<?> type, String property, Predicate<Class<?>> fits) {
		String getter = "get" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
		// stops at the first member found: in a native image, each member that is looked
		// up needs a hint
		Member member = fitting(type, method(type, property), fits);
		if (member == null) {
			member = fitting(type, method(type, getter), fits);
		}
		return (member != null) ? member : fitting(type, field(type, property), fits);
	}

	private static @Nullable Member fitting(Class<?> type, @Nullable Member member, Predicate<Class<?>> fits) {
		return (member != null && fits.test(typeOf(type, member))) ? member : null;
	}

	/**
	 * Returns the type of a member. If a generic superclass declares it, this is the type
	 * that the given class has chosen for the type variable.
	 */
	private static Class<?> typeOf(Class<?> type, Member member) {
		Type declared = (member instanceof Method method) ? method.getGenericReturnType()
				: ((Field) member).getGenericType();
		Type chosen = (declared instanceof TypeVariable<?>) ? arguments(type).get(declared) : null;
		if (chosen instanceof ParameterizedType parameterized) {
			chosen = parameterized.getRawType();
		}
		return (chosen instanceof Class<?> found) ? found
				: (member instanceof Method method) ? method.getReturnType() : ((Field) member).getType();
	}

	/** Returns the type arguments of the superclasses of a class. */
	private static Map<Type, Type> arguments(Class<?> type) {
		Map<Type, Type> arguments = new HashMap<>();
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			if (current.getGenericSuperclass() instanceof ParameterizedType parent) {
				Type[] variables = ((Class<?>) parent.getRawType()).getTypeParameters();
				Type[] values = parent.getActualTypeArguments();
				for (int i = 0; i < variables.length; i++) {
					arguments.put(variables[i], arguments.getOrDefault(values[i], values[i]));
				}
			}
		}
		return arguments;
	}

	private static @Nullable Method method(Class<?> type, String name) {
		for (Class<?> current = type; current != null && current != Object.class
				&& current != Record.class; current = current.getSuperclass()) {
			try {
				Method method = current.getDeclaredMethod(name);
				if (!Modifier.isStatic(method.getModifiers()) && method.getReturnType() != void.class) {
					return method;
				}
			}
			catch (NoSuchMethodException ex) {
				// look in the superclass
			}
		}
		return null;
	}

	private static @Nullable Field field(Class<?> type, String name) {
		try {
			Field field = type.getField(name);
			return Modifier.isStatic(field.getModifiers()) ? null : field;
		}
		catch (NoSuchFieldException ex) {
			return null;
		}
	}

	private static MethodHandle handle(Member member, Class<?> returnType) {
		try {
			((AccessibleObject) member).setAccessible(true);
			MethodHandle handle = (member instanceof Method method) ? MethodHandles.lookup().unreflect(method)
					: MethodHandles.lookup().unreflectGetter((Field) member);
			return handle.asType(MethodType.methodType(returnType, Object.class));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("cannot access " + member, ex);
		}
	}

	@Override
	public ResourceKey key(T object) {
		Object metadata = metadata(object);
		String name = text(this.name, metadata);
		if (name.isEmpty()) {
			throw new UnusableMetadataException(this.type.getSimpleName() + " has no metadata.name");
		}
		return new ResourceKey(text(this.namespace, metadata), name);
	}

	@Override
	public String resourceVersion(T object) {
		return text(this.resourceVersion, metadata(object));
	}

	@Override
	public String uid(T object) {
		return text(this.uid, metadata(object));
	}

	@Override
	public @Nullable Instant creationTimestamp(T object) {
		try {
			Object time = (Object) this.creationTimestamp.invokeExact(metadata(object));
			return (time instanceof Instant instant) ? instant
					: (time instanceof OffsetDateTime offset) ? offset.toInstant() : null;
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalArgumentException("cannot read metadata", ex);
		}
	}

	private Object metadata(T object) {
		try {
			Object metadata = (Object) this.metadata.invokeExact((Object) object);
			if (metadata == null) {
				throw new UnusableMetadataException(this.type.getSimpleName() + " has no metadata");
			}
			return metadata;
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalArgumentException("cannot read the metadata of " + this.type.getSimpleName(), ex);
		}
	}

	private static String text(MethodHandle handle, Object metadata) {
		try {
			String value = (String) handle.invokeExact(metadata);
			return (value != null) ? value : "";
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalArgumentException("cannot read metadata", ex);
		}
	}

}
