package dev.reflector.sharding.source;

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
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardSelector;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source that has the share of one replica: it asks the server for the shard, and drops
 * what the server sends of others. So it does not matter whether the server knows of
 * shards, except for the load. Put it next to the source of the server: what changes
 * objects belongs in front of it.
 * <p>
 * When objects are divided by UID, one without a UID is an error: the type does not
 * declare {@code metadata.uid}, and one replica would get everything. Objects that could
 * not be read have no known UID, so each replica to which they come reports them.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class ShardedListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final ResourceAccessor<T> accessor;

	private final StaticShard shard;

	private final ShardSelector selector;

	private final String text;

	private final ShardEvidence evidence;

	/**
	 * Creates a source in front of another one.
	 * @param reflector name of the reflector, for log lines
	 * @param source where the objects come from
	 * @param accessor reads their metadata
	 * @param shard the share of this replica
	 */
	public ShardedListerWatcher(String reflector, ListerWatcher<T> source, ResourceAccessor<T> accessor,
			StaticShard shard) {
		super(source);
		this.accessor = accessor;
		this.shard = shard;
		this.selector = shard.selector();
		this.text = this.selector.toString();
		this.evidence = new ShardEvidence(reflector, shard.toString());
	}

	/**
	 * The share, with what has been seen of the server since this source was made.
	 */
	@Override
	public ReflectorStatus.Shard shard() {
		return new ReflectorStatus.Shard(this.text, this.shard.assignment().index(), this.shard.assignment().count(),
				filteredBy());
	}

	/**
	 * Who leaves out the objects of other shards. The first object of another shard
	 * proves that the server does not. That it does is what it says in a list, or what
	 * objects of 20 different hashes suggest that are all of this shard.
	 * @return what is known so far
	 */
	public FilteredBy filteredBy() {
		return this.evidence.filteredBy();
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return super.list(options.withShardSelector(this.text)).map(this::own);
	}

	private ListPage<T> own(ListPage<T> page) {
		if (!page.shardSelector().isEmpty()) {
			this.evidence.said();
		}
		List<T> items = page.items().stream().filter(this::isOwn).toList();
		return new ListPage<>(items, page.resourceVersion(), page.continueToken(), own(page.skipped()),
				page.shardSelector());
	}

	private List<SkippedObject> own(List<SkippedObject> skipped) {
		return skipped.stream().filter(this::isOwn).toList();
	}

	/**
	 * By UID, there is no cheaper way than a list: versions come without UIDs.
	 */
	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		if (this.shard.field() == ShardField.UID) {
			return Mono.empty();
		}
		return super.listVersions(options.withShardSelector(this.text)).map(
				(page) -> new ListPage<>(page.items().stream().filter((item) -> isOwn(item.key().namespace())).toList(),
						page.resourceVersion(), page.continueToken(), own(page.skipped()), page.shardSelector()));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return super.watch(options.withShardSelector(this.text)).filter(this::isOwn);
	}

	private boolean isOwn(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Added<T> added) {
			return isOwn(added.object());
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return isOwn(modified.object());
		}
		if (event instanceof WatchEvent.Deleted<T> deleted) {
			return isOwn(deleted.object());
		}
		return !(event instanceof WatchEvent.Skipped<T> skipped) || isOwn(skipped.object());
	}

	private boolean isOwn(SkippedObject skipped) {
		return this.shard.field() == ShardField.UID || skipped.key() == null || isOwn(skipped.key().namespace());
	}

	private boolean isOwn(T object) {
		String value;
		try {
			value = (this.shard.field() == ShardField.UID) ? this.accessor.uid(object)
					: this.accessor.key(object).namespace();
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// no metadata: whoever takes the object reports it
			return true;
		}
		if (value.isEmpty() && this.shard.field() == ShardField.UID) {
			throw new IllegalStateException("objects are divided by UID, and one without a UID has come: declare "
					+ "'metadata.uid' in " + object.getClass().getName() + ", or divide by namespace");
		}
		return isOwn(value);
	}

	private boolean isOwn(String value) {
		boolean own = this.selector.matches(value);
		this.evidence.seen(value, own);
		return own;
	}

}
