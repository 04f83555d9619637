package dev.reflector.client.internal.write;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.List;

import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import dev.reflector.client.internal.bind.UnsentComponent;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.InvalidAppliedTypeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An applied type, with its collection, its field manager, and the conversion of its
 * records to JSON.
 *
 * @param <T> the type
 */
final class AppliedType<T> {

	private static final String ADVICE = "Declare components that Jackson writes as it reads them, such as records.";

	private final Class<T> type;

	private final AppliedDeclaration declaration;

	private final JsonSnapshotCodec<T> codec;

	private final @Nullable MethodHandle metadata;

	/**
	 * Creates the conversion of a type's records to JSON.
	 * @throws InvalidAppliedTypeException if records of the type cannot be converted
	 */
	AppliedType(Class<T> type, AppliedDeclaration declaration, JsonMapper mapper) {
		this.type = type;
		this.declaration = declaration;
		this.codec = new JsonSnapshotCodec<>(mapper, type, declaration.resource());
		this.metadata = declaration.status() ? null : metadata(type);
		List<String> problems = this.codec.problems();
		if (!problems.isEmpty()) {
			throw new InvalidAppliedTypeException(type,
					"cannot be applied: Jackson cannot write " + String.join("; ", problems), ADVICE);
		}
		String unreadable = this.codec.readingProblem();
		if (unreadable != null) {
			throw new InvalidAppliedTypeException(type,
					"cannot be applied: what Jackson cannot read is not written, either: " + unreadable, ADVICE);
		}
		UnsentComponent unsent = this.codec.unsentComponent();
		if (unsent != null) {
			throw new InvalidAppliedTypeException(type,
					"cannot be applied: " + (unsent.path().isEmpty() ? "it" : "its component '" + unsent.path() + "'")
							+ " " + unsent.reason().problem(),
					unsent.reason().advice());
		}
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

	AppliedDeclaration declaration() {
		return this.declaration;
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

	private byte[] content(T applied) {
		try {
			return this.codec.write(applied);
		}
		catch (SnapshotException ex) {
			throw new IllegalArgumentException(
					"cannot write this " + this.type.getSimpleName() + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns the body of the request: the content of the record, with API version, kind
	 * and metadata.
	 */
	String body(AppliedMeta metadata, T applied) {
		ObjectNode content = AppliedJson.tree(content(applied), this.type);
		ObjectNode body = content;
		if (this.declaration.status()) {
			body = AppliedJson.object();
			body.set("metadata", AppliedJson.metadata(metadata));
			body.set("status", content);
		}
		body.put("apiVersion", this.declaration.resource().apiVersion())
			.put("kind", this.declaration.resource().kind());
		return AppliedJson.text(body);
	}

}
