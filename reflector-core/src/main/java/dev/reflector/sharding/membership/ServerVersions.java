package dev.reflector.sharding.membership;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Notices by the versions of Leases that the server went back, as after a restore. Then
 * epochs may have been given out that no Lease shows. Guarded by the lock of the
 * membership.
 */
final class ServerVersions {

	private Map<String, Long> leases = new HashMap<>();

	private long highest;

	private boolean wentBack;

	/** A write was answered: its version is larger than all before. */
	void written(long version) {
		if (version <= this.highest) {
			this.wentBack = true;
		}
		this.highest = version;
	}

	/** A list has come that was asked for after the last write was answered. */
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

	/** Whether the server went back since this was asked last. */
	boolean takeWentBack() {
		boolean wentBack = this.wentBack;
		this.wentBack = false;
		return wentBack;
	}

	/** The version of a Lease, 0 when it is no number: such a Lease gives no epoch. */
	private static long version(MemberLease lease) {
		try {
			return Long.parseLong(lease.resourceVersion());
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
