package dev.reflector.sharding.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.reflector.LeasePurpose;
import dev.reflector.sharding.ShardField;

/**
 * The configuration of a replica, as written into its Lease. A value that is 0 or empty
 * is unknown. It counts as equal to any value, because replicas of earlier versions do
 * not write it.
 *
 * @param protocol the version of the content of Leases and of the rules that replicas
 * follow
 * @param field the path of the {@linkplain ShardField field} by which objects are divided
 * @param purpose what the replica uses the Lease for
 * @since 0.1.0
 */
public record MemberSettings(int protocol, String field, LeasePurpose purpose) {

	/** The version of the content that this library writes into Leases. */
	public static final int PROTOCOL = 1;

	/** Settings of which all values are unknown. */
	public static final MemberSettings UNKNOWN = new MemberSettings(0, "", LeasePurpose.UNKNOWN);

	/**
	 * Creates the settings of a replica that runs this version of the library.
	 * @param field the field by which objects are divided
	 * @param application the name of the application
	 * @param types the types that the replica mirrors
	 * @return the settings
	 */
	public static MemberSettings of(ShardField field, String application, Collection<String> types) {
		return new MemberSettings(PROTOCOL, field.path(), LeasePurpose.of(LeasePurpose.SHARDS, application, types));
	}

	/** Whether replicas with these two settings cannot share slots. */
	boolean conflictsWith(MemberSettings other) {
		return !conflict(other).isEmpty();
	}

	/**
	 * Returns the difference that prevents this replica and another one from sharing
	 * slots, empty if they can share slots.
	 */
	String conflict(MemberSettings other) {
		List<String> differences = new ArrayList<>();
		if (this.protocol != 0 && other.protocol != 0 && this.protocol != other.protocol) {
			differences.add("has protocol " + other.protocol + ", this replica " + this.protocol);
		}
		if (differ(this.field, other.field)) {
			differences.add("divides objects by " + other.field + ", this replica by " + this.field);
		}
		return String.join("; ", differences);
	}

	private static boolean differ(String one, String other) {
		return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
	}

}
