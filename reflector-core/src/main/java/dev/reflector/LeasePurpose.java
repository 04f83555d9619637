package dev.reflector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The purpose of a Lease, as recorded by the replica that last updated the Lease. An
 * empty component is unknown. It counts as equal to any value, because other libraries do
 * not write these components.
 *
 * @param purpose what replicas use the Lease for
 * @param application the name of the application
 * @param types the types that the replica delivers
 * @since 0.1.0
 */
public record LeasePurpose(String purpose, String application, String types) {

	/** The replicas elect a leader. */
	public static final String LEADER_ELECTION = "leader-election";

	/** The replicas divide the objects among themselves. */
	public static final String SHARDS = "shards";

	/** An unknown purpose. */
	public static final LeasePurpose UNKNOWN = new LeasePurpose("", "", "");

	/** Creates a purpose from the texts in a Lease. */
	public LeasePurpose {
		purpose = PrintableText.of(purpose);
		application = PrintableText.of(application);
		types = PrintableText.of(types);
	}

	/**
	 * Returns the purpose of a Lease of this replica.
	 * @param purpose what replicas use the Lease for
	 * @param application the name of the application
	 * @param types the types that this replica delivers
	 * @return the purpose
	 */
	public static LeasePurpose of(String purpose, String application, Collection<String> types) {
		return new LeasePurpose(purpose, application, String.join(", ", new TreeSet<>(types)));
	}

	/**
	 * Describes how the purpose of another replica differs from this one.
	 * @param other the purpose of the other replica
	 * @return the differences, human-readable; empty if there are none
	 */
	public String difference(LeasePurpose other) {
		List<String> differences = new ArrayList<>();
		if (differ(this.purpose, other.purpose)) {
			differences.add("uses it for " + other.purpose + ", this replica for " + this.purpose);
		}
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
