package dev.reflector.sharding.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.reflector.LeasePurpose;
import dev.reflector.sharding.ShardField;

/**
 * What a replica says in its Lease of how it is configured. What is not known, 0 or
 * empty, counts as equal: replicas of earlier versions do not say it.
 *
 * @param protocol the version of what replicas write into Leases, and of the rules that
 * they keep
 * @param field the path of the {@linkplain ShardField field} by which objects are divided
 * @param purpose what the Lease is for
 * @since 0.1.0
 */
public record MemberSettings(int protocol, String field, LeasePurpose purpose) {

	/** The version of what this library writes into Leases. */
	public static final int PROTOCOL = 1;

	/** Nothing is known. */
	public static final MemberSettings UNKNOWN = new MemberSettings(0, "", LeasePurpose.UNKNOWN);

	/**
	 * The settings of a replica that runs this version.
	 * @param field what objects are divided by
	 * @param application the name of the application
	 * @param types the types that it mirrors
	 * @return the settings
	 */
	public static MemberSettings of(ShardField field, String application, Collection<String> types) {
		return new MemberSettings(PROTOCOL, field.path(), LeasePurpose.of(LeasePurpose.SHARDS, application, types));
	}

	/** Whether two replicas cannot share slots. */
	boolean conflictsWith(MemberSettings other) {
		return !conflict(other).isEmpty();
	}

	/** How another replica differs so that the two cannot share slots, empty if not. */
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
