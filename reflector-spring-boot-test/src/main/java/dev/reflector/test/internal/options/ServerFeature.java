package dev.reflector.test.internal.options;

/**
 * Features that some API servers have and others do not.
 */
public enum ServerFeature {

	/** Watches may begin with a streamed list. */
	WATCH_LIST,

	/** Objects come unordered where the protocol promises no order (W-11, W-27). */
	UNORDERED,

	/** Watches that begin with the initial state are compressed (W-62). */
	GZIP_WATCHES,

	/** Lists and watches support shards (W-71). */
	SHARDING,

	/** Sharded lists of custom resources contain {@code shardInfo} (W-21). */
	SHARD_INFO_ON_CUSTOM_RESOURCES,

	/** Clients that accept CBOR receive CBOR (W-61). */
	CBOR,

	/** Clients can request only the metadata of objects (W-59). */
	PARTIAL_OBJECT_METADATA,

	/** Clients can request all types at once (aggregated discovery). */
	AGGREGATED_DISCOVERY,

	/** Objects are deleted with their owners. */
	GARBAGE_COLLECTION

}
