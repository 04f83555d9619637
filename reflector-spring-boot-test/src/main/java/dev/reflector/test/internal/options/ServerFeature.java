package dev.reflector.test.internal.options;

/**
 * What some API servers can do and others cannot.
 */
public enum ServerFeature {

	/** Watches may begin with a streamed list. */
	WATCH_LIST,

	/** Objects come unordered where the protocol promises no order (W-11, W-27). */
	UNORDERED,

	/** Watches that begin with the state are compressed (W-62). */
	GZIP_WATCHES,

	/** Lists and watches know shards (W-71). */
	SHARDING,

	/** Sharded lists of custom resources say that they are sharded (W-21). */
	SHARD_INFO_ON_CUSTOM_RESOURCES,

	/** Clients that accept CBOR get it (W-61). */
	CBOR,

	/** Clients can ask for the metadata of objects alone (W-59). */
	PARTIAL_OBJECT_METADATA,

	/** Clients can ask for all types at once. */
	AGGREGATED_DISCOVERY,

	/** What is owned goes with its owners. */
	GARBAGE_COLLECTION

}
