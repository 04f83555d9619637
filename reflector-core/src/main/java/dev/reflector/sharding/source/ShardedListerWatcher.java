package dev.reflector.sharding.source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardField;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source that supplies only the share of one replica. It requests only this share from
 * the server, and drops objects of other shards if the server sends them. So the result
 * is the same if the server does not support shards, but the load is higher. Wrap this
 * source directly around the source that reads from the server. Wrap sources that change
 * objects around this source.
 * <p>
 * If objects are divided by UID, an object without a UID is an error: the type does not
 * declare {@code metadata.uid}, and one replica would get all objects. Objects that could
 * not be read have no known UID, so each replica that receives them reports them.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ShardedListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final ResourceAccessor<T> accessor;

	private final MirroredSlots slots;

	/**
	 * The index of a fixed share, and the number of shares. Both are {@code null} if the
	 * share consists of slots that may change.
	 */
	private final @Nullable Integer index;

	private final @Nullable Integer count;

	private final ShardEvidence evidence;

	/**
	 * Creates a source that supplies a fixed share of another source.
	 * @param reflector name of the reflector, for log lines
	 * @param source the source of the objects
	 * @param accessor reads the metadata of the objects
	 * @param shard the share of this replica
	 */
	public ShardedListerWatcher(String reflector, ListerWatcher<T> source, ResourceAccessor<T> accessor,
			StaticShard shard) {
		this(source, accessor, new MirroredSlots(shard.assignment().slots(), shard.field()), shard.assignment().index(),
				shard.assignment().count(), new ShardEvidence(reflector, shard.toString()));
		this.slots.change(shard.assignment().desired());
	}

	/**
	 * Creates a source that supplies the mirrored slots of another source. The mirrored
	 * slots may change. Requests wait until it is decided which slots are mirrored.
	 * @param reflector name of the reflector, for log lines
	 * @param source the source of the objects
	 * @param accessor reads the metadata of the objects
	 * @param slots the slots of this replica, which the reflector changes
	 */
	public ShardedListerWatcher(String reflector, ListerWatcher<T> source, ResourceAccessor<T> accessor,
			MirroredSlots slots) {
		this(source, accessor, slots, null, null, new ShardEvidence(reflector, "its slots"));
	}

	private ShardedListerWatcher(ListerWatcher<T> source, ResourceAccessor<T> accessor, MirroredSlots slots,
			@Nullable Integer index, @Nullable Integer count, ShardEvidence evidence) {
		super(source);
		this.accessor = accessor;
		this.slots = slots;
		this.index = index;
		this.count = count;
		this.evidence = evidence;
	}

	/**
	 * Returns the share of this replica. Also says whether the server or this process
	 * filters out the objects of other shards, as found out since this source was
	 * created.
	 */
	@Override
	public ReflectorStatus.Shard shard() {
		return new ReflectorStatus.Shard(this.slots.share().selector().toString(), this.index, this.count, filteredBy(),
				null);
	}

	/**
	 * Returns which side filters out the objects of other shards. One object of another
	 * shard proves that the server does not filter. The server counts as filtering when a
	 * list says so, or after objects with at least 20 different UIDs or namespaces, all
	 * of this shard; more are needed if the share is larger than half of the collection.
	 * A replica that requests everything cannot find out.
	 * @return the side that filters; {@link FilteredBy#UNKNOWN} until this is found out
	 */
	public FilteredBy filteredBy() {
		return this.evidence.filteredBy();
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return this.slots.decided().then(Mono.defer(() -> {
			MirroredSlots.Share asked = this.slots.share();
			return super.list(options.withShardSelector(asked.selector().toString())).map((page) -> own(page, asked));
		}));
	}

	private ListPage<T> own(ListPage<T> page, MirroredSlots.Share asked) {
		if (!page.shardSelector().isEmpty()) {
			this.evidence.said();
		}
		List<T> items = new ArrayList<>(page.items().size());
		List<Integer> sizes = new ArrayList<>(page.sizes().size());
		for (int i = 0; i < page.items().size(); i++) {
			if (isOwn(page.items().get(i), asked)) {
				items.add(page.items().get(i));
				if (!page.sizes().isEmpty()) {
					sizes.add(page.size(i));
				}
			}
		}
		return new ListPage<>(Collections.unmodifiableList(items), page.resourceVersion(), page.continueToken(),
				own(page.skipped(), asked), page.shardSelector(), sizes);
	}

	private List<SkippedObject> own(List<SkippedObject> skipped, MirroredSlots.Share asked) {
		return skipped.stream().filter((object) -> isOwn(object, asked)).toList();
	}

	/**
	 * Lists versions. If objects are divided by UID, makes only requests that ask whether
	 * the server has reached a version, because versions come without UIDs.
	 */
	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		if (this.slots.field() == ShardField.UID) {
			return options.asksForVersion() ? super.listVersions(options)
				.map((page) -> new ListPage<>(List.of(), page.resourceVersion(), "", List.of())) : Mono.empty();
		}
		return this.slots.decided().then(Mono.defer(() -> {
			MirroredSlots.Share asked = this.slots.share();
			return super.listVersions(options.withShardSelector(asked.selector().toString()))
				.map((page) -> new ListPage<>(
						page.items().stream().filter((item) -> isOwn(item.key().namespace(), asked)).toList(),
						page.resourceVersion(), page.continueToken(), own(page.skipped(), asked),
						page.shardSelector()));
		}));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.slots.decided().thenMany(Flux.defer(() -> {
			MirroredSlots.Share asked = this.slots.share();
			return super.watch(options.withShardSelector(asked.selector().toString()))
				.filter((event) -> isOwn(event, asked));
		}));
	}

	private boolean isOwn(WatchEvent<T> event, MirroredSlots.Share asked) {
		if (event instanceof WatchEvent.Added<T> added) {
			return isOwn(added.object(), asked);
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return isOwn(modified.object(), asked);
		}
		if (event instanceof WatchEvent.Deleted<T> deleted) {
			return isOwn(deleted.object(), asked);
		}
		return !(event instanceof WatchEvent.Skipped<T> skipped) || isOwn(skipped.object(), asked);
	}

	private boolean isOwn(SkippedObject skipped, MirroredSlots.Share asked) {
		return this.slots.field() == ShardField.UID || skipped.key() == null || isOwn(skipped.key().namespace(), asked);
	}

	private boolean isOwn(T object, MirroredSlots.Share asked) {
		String value;
		try {
			value = (this.slots.field() == ShardField.UID) ? this.accessor.uid(object)
					: this.accessor.key(object).namespace();
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// unreadable metadata: the consumer of the object reports this
			return true;
		}
		if (value.isEmpty() && this.slots.field() == ShardField.UID) {
			throw new IllegalStateException("objects are divided by UID, and one without a UID has come: declare "
					+ "'metadata.uid' in " + object.getClass().getName() + ", or divide by namespace");
		}
		return isOwn(value, asked);
	}

	/**
	 * Whether a value belongs to a slot that is mirrored now. The requested slots do not
	 * decide this, because some may no longer be mirrored. They only show whether the
	 * server filters.
	 */
	private boolean isOwn(String value, MirroredSlots.Share asked) {
		int slot = this.slots.slots().slotOf(value);
		this.evidence.seen(value, slot, asked.slots(), this.slots.slots().count());
		return this.slots.present().contains(slot);
	}

}
