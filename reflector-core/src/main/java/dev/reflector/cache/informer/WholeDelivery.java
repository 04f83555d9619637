package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.Duty;
import dev.reflector.cache.internal.snapshot.OtherApplication;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotOptions;
import org.jspecify.annotations.Nullable;

/**
 * An informer that delivers the whole collection, always or while this replica leads.
 *
 * @param <T> the type of the objects
 */
final class WholeDelivery<T> extends InformerDelivery<T> {

	private final boolean takesTurns;

	private final Handlers<T> handlers;

	private final Indexer<T> indexer;

	/** The snapshot of the mirror, if there is one. */
	private final @Nullable DurableMirror<T> durable;

	WholeDelivery(RunSetup<T> setup, Handlers<T> handlers, Indexer<T> indexer, @Nullable DurableMirror<T> durable) {
		super(setup.name());
		this.takesTurns = setup.gate().takesTurns();
		this.handlers = handlers;
		this.indexer = indexer;
		this.durable = durable;
		if (durable != null) {
			handlers.recoverFrom(durable::completed);
		}
		if (this.takesTurns) {
			handlers.standBy();
		}
	}

	static <T> DurableMirror<T> durable(RunSetup<T> setup, ResourceType resourceType, List<String> namespaces,
			SnapshotOptions<T> snapshot) {
		LoopSetup<T> loop = setup.loop();
		return new DurableMirror<>(setup.name(), snapshot,
				DurableMirror.header(resourceType, snapshot, loop.listerWatcher(), namespaces),
				loop.listerWatcher().serverIdentity(), loop.accessor(), loop.time(),
				new Duty(setup.gate().takesTurns()), new OtherApplication(setup.name(), loop.time()));
	}

	@Override
	Snapshots<T> snapshots() {
		return new Snapshots<>(this.durable, null);
	}

	@Override
	Object share() {
		return this;
	}

	@Override
	boolean takeOver() {
		if (!this.takesTurns) {
			return super.takeOver();
		}
		if (this.durable == null) {
			this.handlers.takeOver();
			return false;
		}
		this.durable.duty().takeOver();
		return true;
	}

	@Override
	CompletionStage<Void> standBy(Supplier<@Nullable Run<T>> run) {
		if (!this.takesTurns) {
			return super.standBy(run);
		}
		DurableMirror<T> durable = this.durable;
		if (durable == null) {
			return this.handlers.standBy().minimalCompletionStage();
		}
		durable.duty().standBy();
		CompletableFuture<Void> quiet = this.handlers.standBy();
		Run<T> present = run.get();
		CompletableFuture<Void> flushed = (present != null) ? present.flushSnapshot()
				: CompletableFuture.completedFuture(null);
		return flushed.minimalCompletionStage().thenCompose((nothing) -> {
			Run<T> last = run.get();
			return (last == null || last.stopping()) ? durable.handOver()
					: CompletableFuture.<Void>completedFuture(null);
		}).thenCombine(quiet, (handedOver, nothing) -> nothing);
	}

	@Override
	ReflectorStatus.@Nullable Durability durability() {
		return (this.durable != null) ? this.durable.status() : null;
	}

	@Override
	void readAhead() {
		if (this.durable != null) {
			this.durable.readAhead();
		}
	}

	@Override
	String reset() {
		if (this.durable == null) {
			throw new IllegalStateException("the reflector '" + name() + "' has no snapshot");
		}
		String where = this.durable.reset();
		List<ResourceKey> all = new ArrayList<>();
		this.indexer.forEach((key, object) -> all.add(key));
		this.handlers.write(() -> {
			this.indexer.replace(Map.of(), all, "");
			this.indexer.unknown().clear();
		});
		return where;
	}

	@Override
	void close() {
		if (this.durable != null) {
			this.durable.close();
		}
	}

}
