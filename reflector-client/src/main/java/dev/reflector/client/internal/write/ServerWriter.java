package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.reflector.GenericResource;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;
import dev.reflector.write.ApplyOptions;
import dev.reflector.write.DeleteOptions;
import dev.reflector.write.InvalidAppliedTypeException;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteMode;
import dev.reflector.write.WriteOperation;
import dev.reflector.write.Written;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.node.ObjectNode;

/** A writer to an API server. */
public final class ServerWriter implements ResourceWriter {

	private static final Map<DeleteOptions.Dependents, String> POLICIES = Map.of(DeleteOptions.Dependents.BACKGROUND,
			"Background", DeleteOptions.Dependents.FOREGROUND, "Foreground", DeleteOptions.Dependents.ORPHAN, "Orphan");

	private final AppliedTypes types;

	private final Mirrors mirrors;

	private final WriteExecution execution;

	private final Duration timeout;

	/**
	 * Creates a writer.
	 * @param settings the settings of the writer
	 */
	public ServerWriter(WriterSettings settings) {
		this.types = new AppliedTypes(settings.application(), settings.placeholders(), settings.mapper());
		this.types.check(settings.types());
		this.mirrors = new Mirrors(settings.mirrors(), settings.awaited());
		this.timeout = settings.timeout();
		boolean dryRun = settings.mode() == WriteMode.DRY_RUN;
		WriteSender sender = new WriteSender(settings.exchange(), settings.server(), settings.discovery(), dryRun);
		StatusSender statuses = new StatusSender(sender, this.mirrors);
		this.execution = new WriteExecution(sender, statuses, this.mirrors,
				dryRun ? new DryRun(sender, statuses) : null, settings.observers());
	}

	@Override
	public <T> Written<T> apply(T applied, ApplyOptions options) {
		requireBlocking();
		AppliedType<T> type = type(applied);
		if (type.declaration().status()) {
			throw new InvalidAppliedTypeException(type.type(), "is a status, not an object",
					"Call status(AppliedMeta.of(…), …) with it.");
		}
		AppliedMeta metadata = type.metadata(applied);
		return applied(WriteOperation.APPLY, type, metadata, applied, options);
	}

	@Override
	public <T> Written<T> status(AppliedMeta metadata, T status, ApplyOptions options) {
		requireBlocking();
		AppliedType<T> type = type(status);
		if (!type.declaration().status()) {
			throw new InvalidAppliedTypeException(type.type(), "is not a status",
					"Declare 'subresource = \"status\"' on a record of the components of the status, or call "
							+ "apply(…).");
		}
		if (metadata.uid() == null) {
			throw new IllegalArgumentException("a status belongs to a mirrored object: make its metadata with "
					+ "AppliedMeta.of(…), so that it is not written to another object of the name '" + metadata.key()
					+ "'");
		}
		if (metadata.labels() != null || metadata.annotations() != null || metadata.ownerReferences() != null
				|| metadata.finalizers() != null) {
			throw new IllegalArgumentException("the metadata of a status has no labels, annotations, owners or "
					+ "finalizers: apply them to the object");
		}
		return applied(WriteOperation.STATUS, type, metadata, status, options);
	}

	@Override
	public <T> Written<T> create(T created, ApplyOptions options) {
		requireBlocking();
		AppliedType<T> type = type(created);
		if (type.declaration().status()) {
			throw new InvalidAppliedTypeException(type.type(), "is a status, not an object",
					"Create the " + "object, and call status(AppliedMeta.of(…), …) when it is mirrored.");
		}
		AppliedMeta metadata = type.metadata(created);
		if (metadata.uid() != null) {
			throw new IllegalArgumentException("the object '" + metadata.key() + "' has a uid, so it exists: "
					+ "make the metadata of an object to create with AppliedMeta.named(…)");
		}
		return applied(WriteOperation.CREATE, type, metadata, created, options);
	}

	@Override
	public <T> Written<T> delete(T mirrored, DeleteOptions options) {
		if (!(mirrored instanceof GenericResource generic)) {
			return ResourceWriter.super.delete(mirrored, options);
		}
		requireBlocking();
		AppliedMeta metadata = AppliedMeta.of(generic.metadata());
		@SuppressWarnings("unchecked")
		Class<T> type = (Class<T>) GenericResource.class;
		return deleted(type, ResourceType.of(generic.apiVersion(), generic.kind(), null), metadata.key(),
				String.valueOf(metadata.uid()), options);
	}

	@Override
	public <T> Written<T> delete(Class<T> type, ResourceKey key, String uid, DeleteOptions options) {
		requireBlocking();
		if (uid.isEmpty()) {
			throw new IllegalArgumentException("there is no uid of '" + key
					+ "' to delete: without it, another object of this name could be deleted; take it from the "
					+ "mirrored object");
		}
		ResourceType resource = type.isAnnotationPresent(AppliedResource.class)
				? this.types.of(type).declaration().resource() : this.mirrors.mirrored(type);
		return deleted(type, resource, key, uid, options);
	}

	private Deadline deadline(@Nullable Duration timeout) {
		return Deadline.in(Objects.requireNonNullElse(timeout, this.timeout));
	}

	private static void requireBlocking() {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("a write blocks, and the thread '" + Thread.currentThread().getName()
					+ "' must not: write on another one, such as with Mono.fromCallable(…)"
					+ ".subscribeOn(Schedulers.boundedElastic())");
		}
	}

	@SuppressWarnings("unchecked")
	private <T> AppliedType<T> type(T applied) {
		return this.types.of((Class<T>) applied.getClass());
	}

	private <T> Write write(WriteOperation operation, AppliedType<T> type, AppliedMeta metadata, T record,
			ApplyOptions options) {
		boolean creates = operation == WriteOperation.CREATE;
		String manager = creates ? this.types.creating(type.declaration(), options.manager())
				: this.types.applying(type.declaration(), options.manager());
		String uid = Objects.requireNonNullElse(metadata.uid(), "");
		List<String> verbs = creates ? List.of("create")
				: uid.isEmpty() ? List.of("patch", "create") : List.of("patch");
		return new Write(operation, type.type(), type.declaration().resource(), metadata.key(), uid, manager,
				options.force(), type.body(metadata, record), false, deadline(options.timeout()), verbs);
	}

	private <T> Written<T> applied(WriteOperation operation, AppliedType<T> type, AppliedMeta metadata, T record,
			ApplyOptions options) {
		Write write = write(operation, type, metadata, record, options);
		return this.execution.run(type.type(), write, metadata);
	}

	private <T> Written<T> deleted(Class<T> type, ResourceType resource, ResourceKey key, String uid,
			DeleteOptions options) {
		ObjectNode body = AppliedJson.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
		body.putObject("preconditions").put("uid", uid);
		if (options.dependents() != null) {
			body.put("propagationPolicy", POLICIES.get(options.dependents()));
		}
		if (this.execution.isDryRun()) {
			body.putArray("dryRun").add("All");
		}
		Write write = new Write(WriteOperation.DELETE, type, resource, key, uid, "", false, AppliedJson.text(body),
				false, deadline(options.timeout()), List.of("delete"));
		return this.execution.run(type, write, null);
	}

}
