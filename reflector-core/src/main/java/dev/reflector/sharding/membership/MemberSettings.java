package dev.reflector.sharding.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

import dev.reflector.PrintableText;
import dev.reflector.sharding.ShardField;

/**
 * The configuration of a replica as it is written into its Lease. A value that is not
 * known, 0 or empty, counts as equal, because replicas of earlier versions do not write
 * it.
 *
 * @param protocol the version of the content of Leases and of the rules that replicas
 * follow
 * @param field the path of the {@linkplain ShardField field} by which objects are divided
 * @param application the name of the application
 * @param types the types that it mirrors
 * @since 0.1.0
 */
public record MemberSettings(int protocol, String field, String application, String types) {

	/** The version of the content that this library writes into Leases. */
	public static final int PROTOCOL = 1;

	/** The settings of a replica about which nothing is known. */
	public static final MemberSettings UNKNOWN = new MemberSettings(0, "", "", "");

	/**
	 * Creates the settings of a replica that runs this version.
	 * @param field the field by which objects are divided
	 * @param application the name of the application
	 * @param types the types that it mirrors
	 * @return the settings
	 */
	public static MemberSettings of(ShardField field, String application, Collection<String> types) {
		// as it is read from a Lease
		return new MemberSettings(PROTOCOL, field.path(), PrintableText.of(application),
				PrintableText.of(String.join(", ", new TreeSet<>(types))));
	}

	/** Whether two replicas cannot share slots. */
	boolean conflictsWith(MemberSettings other) {
		return !conflict(other).isEmpty();
	}

	/**
	 * Returns how another replica differs so that the two cannot share slots, empty if
	 * they can.
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

	/**
	 * Returns why another replica seems to be of another application, empty if it does
	 * not.
	 */
	String foreign(MemberSettings other) {
		List<String> differences = new ArrayList<>();
		if (differ(this.application, other.application)) {
			differences
				.add("is of the application '" + other.application + "', this replica of '" + this.application + "'");
		}
		if (differ(this.types, other.types)) {
			differences.add("mirrors " + other.types + ", this replica " + this.types);
		}
		return String.join("; ", differences);
	}

	private static boolean differ(String one, String other) {
		return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
	}

}
