package dev.reflector.client.internal.write;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.reflector.ResourceType;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;
import dev.reflector.write.InvalidAppliedTypeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A type that is applied: where to, as whom, and how its records become JSON.
 *
 * @param <T> the type
 */
final class AppliedType<T> {

	private final Class<T> type;

	private final ResourceType resource;

	private final String subresource;

	private final String manager;

	private final JsonSnapshotCodec<T> codec;

	private final @Nullable MethodHandle metadata;

	private AppliedType(Class<T> type, ResourceType resource, String subresource, String manager,
			JsonSnapshotCodec<T> codec) {
		this.type = type;
		this.resource = resource;
		this.subresource = subresource;
		this.manager = manager;
		this.codec = codec;
		this.metadata = subresource.isEmpty() ? metadata(type) : null;
	}

	/**
	 * Reads the declaration of a type.
	 * @throws InvalidAppliedTypeException when it cannot be applied
	 */
	static <T> AppliedType<T> of(Class<T> type, String application, UnaryOperator<String> placeholders,
			JsonMapper mapper) {
		AppliedShape.check(type);
		AppliedResource declared = type.getAnnotation(AppliedResource.class);
		ResourceType resource;
		try {
			resource = AppliedShape.resource(placeholders.apply(declared.apiVersion()),
					placeholders.apply(declared.kind()), placeholders.apply(declared.plural()), type);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAppliedTypeException(type, "cannot be applied: " + ex.getMessage(),
					"Correct @AppliedResource.");
		}
		String named = placeholders.apply(declared.manager());
		String manager = AppliedShape.manager(type, named.isEmpty() ? application + "/" + type.getSimpleName() : named);
		JsonSnapshotCodec<T> codec = new JsonSnapshotCodec<>(mapper, type, resource);
		List<String> problems = codec.problems();
		if (!problems.isEmpty()) {
			throw new InvalidAppliedTypeException(type,
					"cannot be applied: Jackson cannot write " + String.join("; ", problems),
					"Declare components that Jackson writes as it reads them.");
		}
		return new AppliedType<>(type, resource, declared.subresource(), manager, codec);
	}

	private static MethodHandle metadata(Class<?> type) {
		try {
			Method accessor = type.getDeclaredMethod("metadata");
			accessor.setAccessible(true);
			return MethodHandles.lookup().unreflect(accessor);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("cannot access the metadata of " + type.getName(), ex);
		}
	}

	Class<T> type() {
		return this.type;
	}

	ResourceType resource() {
		return this.resource;
	}

	String manager() {
		return this.manager;
	}

	boolean isStatus() {
		return !this.subresource.isEmpty();
	}

	AppliedMeta metadata(T applied) {
		AppliedMeta metadata = null;
		if (this.metadata != null) {
			try {
				metadata = (AppliedMeta) this.metadata.invoke(applied);
			}
			catch (RuntimeException | Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throw new IllegalArgumentException("cannot read the metadata of " + this.type.getName(), ex);
			}
		}
		if (metadata == null) {
			throw new IllegalArgumentException(this.type.getSimpleName() + " has no metadata: make it with "
					+ "AppliedMeta.of(…) for a mirrored object, or with AppliedMeta.named(…) for one that may be "
					+ "created");
		}
		return metadata;
	}

	/** The whole body: what the record declares, and what it is. */
	String body(AppliedMeta metadata, T applied) {
		ObjectNode content = AppliedJson.tree(this.codec.write(applied), this.type);
		ObjectNode body = content;
		if (isStatus()) {
			body = AppliedJson.object();
			body.set("metadata", AppliedJson.metadata(metadata));
			body.set(this.subresource, content);
		}
		body.put("apiVersion", this.resource.apiVersion()).put("kind", this.resource.kind());
		return AppliedJson.text(body);
	}

}
