package dev.reflector.sharding.source;

import java.util.HashSet;
import java.util.Set;

import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.sharding.DesiredSlots;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out from the received objects whether the server filters out the objects of other
 * shards. Only some lists say so explicitly, and no watch does. Thread-safe.
 */
final class ShardEvidence {

	/**
	 * The number of different values, and of bits of evidence, after which the server
	 * counts as filtering. This conclusion is wrong in one case in a million. Each value
	 * adds one bit if half of all hashes were requested, and less if more were requested.
	 */
	private static final int ENOUGH = 20;

	private static final Logger logger = LoggerFactory.getLogger(ShardedListerWatcher.class);

	private final String reflector;

	private final String shard;

	private final Set<String> values = new HashSet<>();

	private double bits;

	private volatile FilteredBy filteredBy = FilteredBy.UNKNOWN;

	ShardEvidence(String reflector, String shard) {
		this.reflector = reflector;
		this.shard = shard;
	}

	FilteredBy filteredBy() {
		return this.filteredBy;
	}

	/** Notes that the server has reported that it has applied the selector. */
	void said() {
		if (this.filteredBy == FilteredBy.UNKNOWN) {
			byServer();
		}
	}

	/**
	 * Notes that an object of a slot has arrived in response to a request for the slots
	 * {@code asked}, out of {@code all} slots.
	 */
	void seen(String value, int slot, DesiredSlots asked, int all) {
		FilteredBy known = this.filteredBy;
		if (known != FilteredBy.CLIENT && !asked.contains(slot)) {
			byClient();
		}
		else if (known == FilteredBy.UNKNOWN && asked.size() < all) {
			count(value, (double) asked.size() / all);
		}
	}

	private synchronized void count(String value, double share) {
		if (this.values.add(value)) {
			this.bits -= Math.log(share) / Math.log(2);
		}
		if (this.values.size() >= ENOUGH && this.bits >= ENOUGH) {
			byServer();
		}
	}

	private synchronized void byServer() {
		if (this.filteredBy == FilteredBy.UNKNOWN) {
			become(FilteredBy.SERVER);
			logger.info(
					"Reflector '{}': the server seems to filter by shard: so far, it has sent only objects " + "of {}",
					this.reflector, this.shard);
		}
	}

	private synchronized void byClient() {
		if (this.filteredBy != FilteredBy.CLIENT) {
			become(FilteredBy.CLIENT);
			logger.info("Reflector '{}': the server does not filter by shard, so the client drops objects that "
					+ "are not of {}", this.reflector, this.shard);
		}
	}

	private void become(FilteredBy filteredBy) {
		this.filteredBy = filteredBy;
		this.values.clear();
	}

}
