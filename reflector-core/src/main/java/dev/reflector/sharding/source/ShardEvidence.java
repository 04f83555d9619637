package dev.reflector.sharding.source;

import java.util.HashSet;
import java.util.Set;

import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out from what arrives whether the server leaves out the objects of other shards.
 * Only some lists say it, and no watch does. Thread-safe.
 */
final class ShardEvidence {

	/** Of two shards, all are in the one by chance once in a million times. */
	private static final int ENOUGH = 20;

	private static final Logger logger = LoggerFactory.getLogger(ShardedListerWatcher.class);

	private final String reflector;

	private final String shard;

	private final Set<String> values = new HashSet<>();

	private volatile FilteredBy filteredBy = FilteredBy.UNKNOWN;

	ShardEvidence(String reflector, String shard) {
		this.reflector = reflector;
		this.shard = shard;
	}

	FilteredBy filteredBy() {
		return this.filteredBy;
	}

	/** The server says that it has applied the selector. */
	void said() {
		if (this.filteredBy == FilteredBy.UNKNOWN) {
			byServer();
		}
	}

	/** An object has come. */
	void seen(String value, boolean own) {
		FilteredBy known = this.filteredBy;
		if (known != FilteredBy.CLIENT && !own) {
			byClient();
		}
		else if (known == FilteredBy.UNKNOWN) {
			count(value);
		}
	}

	private synchronized void count(String value) {
		this.values.add(value);
		if (this.values.size() >= ENOUGH) {
			byServer();
		}
	}

	private synchronized void byServer() {
		if (this.filteredBy == FilteredBy.UNKNOWN) {
			become(FilteredBy.SERVER);
			logger.info("Reflector '{}': the server sends only the objects of {}, as far as seen", this.reflector,
					this.shard);
		}
	}

	private synchronized void byClient() {
		if (this.filteredBy != FilteredBy.CLIENT) {
			become(FilteredBy.CLIENT);
			logger.info("Reflector '{}': the server does not filter by shard. What is not of {} is dropped here",
					this.reflector, this.shard);
		}
	}

	private void become(FilteredBy filteredBy) {
		this.filteredBy = filteredBy;
		this.values.clear();
	}

}
