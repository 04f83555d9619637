package dev.reflector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * What a Lease is for, which the replica says in it that has written it last. What is not
 * known, empty, counts as equal: other libraries do not say it.
 *
 * @param purpose what replicas do by the Lease
 * @param application the name of the application
 * @param types the types that the replica delivers
 * @since 0.1.0
 */
public record LeasePurpose(String purpose, String application, String types) {

	/** Of replicas of which one leads. */
	public static final String LEADER_ELECTION = "leader-election";

	/** Of replicas that divide objects among them. */
	public static final String SHARDS = "shards";

	/** Nothing is known. */
	public static final LeasePurpose UNKNOWN = new LeasePurpose("", "", "");

	/** As it is read from a Lease. */
	public LeasePurpose {
		purpose = PrintableText.of(purpose);
		application = PrintableText.of(application);
		types = PrintableText.of(types);
	}

	/**
	 * The purpose of a Lease of this replica.
	 * @param purpose what replicas do by the Lease
	 * @param application the name of the application
	 * @param types the types that it delivers
	 * @return the purpose
	 */
	public static LeasePurpose of(String purpose, String application, Collection<String> types) {
		return new LeasePurpose(purpose, application, String.join(", ", new TreeSet<>(types)));
	}

	/**
	 * How the Lease of another replica seems to be for something else.
	 * @param other what the other replica says
	 * @return what differs, human-readable; empty when nothing does
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
