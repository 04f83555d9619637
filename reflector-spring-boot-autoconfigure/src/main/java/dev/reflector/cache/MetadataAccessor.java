package dev.reflector.cache;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.time.OffsetDateTime;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Reads metadata from a component or property {@code metadata} of the mirrored type,
 * which may be of any type that has accessors {@code name} and {@code resourceVersion},
 * and {@code namespace} unless its objects are cluster-scoped. Accessors are record style
 * or bean style, so the model classes of other clients work.
 *
 * @param <T> the type of the objects
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
	 * @throws MissingMetadataException when the type has no usable metadata
	 */
	public static <T> MetadataAccessor<T> forType(Class<T> type) {
		Method metadata = accessor(type, "metadata");
		if (metadata == null) {
			throw new MissingMetadataException(type, "it has no component or property 'metadata'");
		}
		Class<?> metadataType = metadata.getReturnType();
		Method name = accessor(metadataType, "name");
		Method resourceVersion = accessor(metadataType, "resourceVersion");
		if (name == null || resourceVersion == null) {
			throw new MissingMetadataException(type, "its metadata type " + metadataType.getName()
					+ " has no accessor '" + ((name == null) ? "name" : "resourceVersion") + "' that returns a String");
		}
		return new MetadataAccessor<>(type, handle(metadata, Object.class), handle(name, String.class),
				optional(metadataType, "namespace"), handle(resourceVersion, String.class),
				optional(metadataType, "uid"), optionalTime(metadataType));
	}

	private static MethodHandle optionalTime(Class<?> metadataType) {
		for (String candidate : new String[] { "creationTimestamp", "getCreationTimestamp" }) {
			Method method = method(metadataType, candidate);
			if (method != null && !method.getReturnType().isPrimitive()) {
				return handle(method, Object.class);
			}
		}
		return NO_TIME;
	}

	private static MethodHandle optional(Class<?> metadataType, String property) {
		Method method = accessor(metadataType, property);
		return (method != null) ? handle(method, String.class) : NOTHING;
	}

	private static @Nullable Method accessor(Class<?> type, String property) {
		String getter = "get" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
		for (String candidate : new String[] { property, getter }) {
			Method method = method(type, candidate);
			if (method != null && (property.equals("metadata") || method.getReturnType() == String.class)) {
				return method;
			}
		}
		return null;
	}

	private static @Nullable Method method(Class<?> type, String name) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			try {
				Method method = current.getDeclaredMethod(name);
				if (!Modifier.isStatic(method.getModifiers()) && method.getReturnType() != void.class) {
					return method;
				}
			}
			catch (NoSuchMethodException ex) {
				// look further up
			}
		}
		return null;
	}

	private static MethodHandle handle(Method method, Class<?> returnType) {
		try {
			method.setAccessible(true);
			return MethodHandles.lookup().unreflect(method).asType(MethodType.methodType(returnType, Object.class));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("cannot call " + method, ex);
		}
	}

	@Override
	public ResourceKey key(T object) {
		Object metadata = metadata(object);
		String name = text(this.name, metadata);
		if (name.isEmpty()) {
			throw new IllegalArgumentException(this.type.getSimpleName() + " has no metadata.name");
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
				throw new IllegalArgumentException(this.type.getSimpleName() + " has no metadata");
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
