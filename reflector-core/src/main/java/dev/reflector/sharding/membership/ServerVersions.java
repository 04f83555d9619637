package dev.reflector.sharding.membership;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the versions of Leases to notice when the versions of the server have
 * decreased, for example after a restore. There may then be epochs that no Lease shows.
 * Guarded by the lock of the membership.
 */
final class ServerVersions {

	private Map<String, Long> leases = new HashMap<>();

	private long highest;

	private boolean wentBack;

	/**
	 * Notes the version of a successful write, which should be larger than all earlier
	 * versions.
	 */
	void written(long version) {
		if (version <= this.highest) {
			this.wentBack = true;
		}
		this.highest = version;
	}

	/** Notes a list that was requested after the response to the last write. */
	void listed(List<MemberLease> leases) {
		Map<String, Long> listed = new HashMap<>();
		boolean back = false;
		long highest = 0;
		for (MemberLease lease : leases) {
			long version = version(lease);
			Long before = this.leases.get(lease.identity());
			back |= before != null && version < before;
			highest = Math.max(highest, version);
			listed.put(lease.identity(), version);
		}
		this.leases = listed;
		this.highest = back ? highest : Math.max(this.highest, highest);
		this.wentBack |= back;
	}

	/** Returns whether the versions have decreased since the last call of this method. */
	boolean takeWentBack() {
		boolean wentBack = this.wentBack;
		this.wentBack = false;
		return wentBack;
	}

	/**
	 * Returns the version of a Lease as a number, or 0 if it is not a number. Such a
	 * version never becomes an epoch.
	 */
	private static long version(MemberLease lease) {
		try {
			return Long.parseLong(lease.resourceVersion());
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
