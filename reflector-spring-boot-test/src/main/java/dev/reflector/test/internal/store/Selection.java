package dev.reflector.test.internal.store;

import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.api.ServedType;

/**
 * The part of a collection that a request selects.
 *
 * @param namespace namespace, empty for all of them
 * @param labels selects by labels
 * @param fields selects by namespace and name
 * @param shard selects by hash
 */
public record Selection(String namespace, LabelSelector labels, FieldSelector fields, ShardRanges shard) {

	public static Selection of(ServedType type, String namespace, Parameters parameters, boolean sharding) {
		return new Selection(namespace, LabelSelector.parse(parameters.text("labelSelector")),
				FieldSelector.parse(parameters.text("fieldSelector"), type),
				// W-76: a server without shards ignores the parameter
				ShardRanges.parse(sharding ? parameters.text("shardSelector") : ""));
	}

	/**
	 * Whether the request selects by more than the namespace.
	 * @return whether a selector is present
	 */
	public boolean selective() {
		return !this.labels.requirements().isEmpty() || !this.fields.terms().isEmpty();
	}

	public boolean matches(ObjectRevision object) {
		return matchesInAnyShard(object) && this.shard.matches(object);
	}

	boolean matchesInAnyShard(ObjectRevision object) {
		return (this.namespace.isEmpty() || this.namespace.equals(object.namespace()))
				&& this.labels.matches(object.labels()) && this.fields.matches(object);
	}

}
