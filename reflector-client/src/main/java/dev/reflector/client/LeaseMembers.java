package dev.reflector.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.reflector.GenericResource;
import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.MemberLease;
import dev.reflector.sharding.membership.MemberRecord;
import dev.reflector.sharding.membership.MemberSettings;
import dev.reflector.sharding.membership.MemberStore;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Leases of replicas that share slots. A Lease is named {@code GROUP.IDENTITY}. A
 * label contains the group, and annotations contain the record of the replica. Updates
 * keep what others have written into the Lease.
 */
final class LeaseMembers implements MemberStore {

	/** Reads metadata without reflection, for native images. */
	static final ResourceAccessor<GenericResource> ACCESSOR = new ResourceAccessor<>() {

		@Override
		public ResourceKey key(GenericResource lease) {
			String name = lease.metadata().name();
			return ResourceKey.of(lease.metadata().namespace(), (name != null) ? name : "");
		}

		@Override
		public String resourceVersion(GenericResource lease) {
			return LeaseApi.resourceVersion(lease.content());
		}

	};

	private static final String PREFIX = "reflector.dev/shard-";

	private static final String GROUP = PREFIX + "group";

	private static final String INCARNATION = PREFIX + "incarnation";

	private static final String SEQUENCE = PREFIX + "sequence";

	private static final String LEAVING = PREFIX + "leaving";

	private static final String SLOTS = PREFIX + "slots";

	private static final String HELD = PREFIX + "held";

	/**
	 * The annotation with the number of milliseconds for which each owned slot has had
	 * undelivered changes.
	 */
	private static final String UNDELIVERED = PREFIX + "undelivered";

	private static final String JOINED = PREFIX + "joined";

	private static final String ERA = PREFIX + "era";

	private static final String PROTOCOL = PREFIX + "protocol";

	private static final String FIELD = PREFIX + "field";

	private static final int CONFLICT = 409;

	private static final int MAX_NAME = 253;

	/**
	 * The largest number of Leases that are read, which is more than one for each pod.
	 */
	private static final int MAX_LEASES = 10_000;

	/** The largest size of all Leases in megabytes, which is enough for these. */
	private static final int MAX_MEGABYTES = 32;

	private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	private static final Pattern SUBDOMAIN = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private final LeaseApi requests;

	private final ListerWatcher<GenericResource> collection;

	private final String group;

	private final String identity;

	LeaseMembers(LeaseApi requests, ListerWatcher<GenericResource> collection, String group, String identity) {
		this.requests = requests;
		this.collection = collection;
		this.group = group;
		this.identity = identity;
	}

	/** Returns the name of the Lease of a replica. */
	static String name(String group, String identity) {
		if (!LABEL.matcher(group).matches()) {
			throw new IllegalArgumentException("the group '" + group
					+ "' must be up to 63 lower-case letters, digits and '-', with a letter or digit at both ends");
		}
		String name = group + "." + identity;
		if (!SUBDOMAIN.matcher(identity).matches() || name.length() > MAX_NAME) {
			throw new IllegalArgumentException("the identity '" + identity + "' must be lower-case letters, digits, "
					+ "'-' and '.', as a host name, because it becomes a part of the name of a Lease");
		}
		return name;
	}

	static String labelSelector(String group) {
		return GROUP + "=" + group;
	}

	@Override
	public String identity() {
		return this.identity;
	}

	@Override
	public String describe() {
		return this.requests.namespace() + "/" + this.group;
	}

	/**
	 * Lists without a version and without pages, so that the server returns the current
	 * state and not a cached one. Fails if the answer is so large that it cannot be that
	 * of a group of replicas.
	 */
	@Override
	public Mono<List<MemberLease>> list() {
		return Mono.defer(() -> this.collection.list(new ListOptions(this.requests.namespace(), "", 0, "")))
			.contextWrite((context) -> RequestListener.in(context, new LeaseLimit()))
			.map(this::leases);
	}

	private List<MemberLease> leases(ListPage<GenericResource> page) {
		if (!page.skipped().isEmpty() || !page.continueToken().isEmpty()) {
			throw new IllegalStateException("the Leases of " + describe() + " are incomplete: " + page.skipped());
		}
		List<MemberLease> leases = new ArrayList<>(page.items().size());
		page.items().forEach((item) -> leases.add(lease((ObjectNode) item.content())));
		return leases;
	}

	@Override
	public Mono<MemberLease> create(MemberRecord record) {
		ObjectNode lease = this.requests.newLease(name(this.group, this.identity));
		write(lease, this.identity, record);
		return this.requests.create(lease).map(this::lease).onErrorMap(ApiException.class, this::explained);
	}

	/**
	 * Explains why a Lease cannot be created repeatedly, although no list shows it: its
	 * label was removed.
	 */
	private ApiException explained(ApiException refusal) {
		if (refusal.status().code() != CONFLICT) {
			return refusal;
		}
		String lease = this.requests.namespace() + "/" + name(this.group, this.identity);
		String message = refusal.getMessage() + ". If this is repeated, the Lease " + lease + " lacks the label "
				+ labelSelector(this.group) + ": add it, or delete the Lease";
		return new ApiException(message, refusal.status(), refusal.retryAfter());
	}

	private void write(ObjectNode lease, String identity, MemberRecord record) {
		ObjectNode metadata = lease.withObjectProperty("metadata");
		metadata.withObjectProperty("labels").put(GROUP, this.group);
		metadata.withObjectProperty("annotations")
			.put(INCARNATION, record.incarnation())
			.put(SEQUENCE, Long.toString(record.sequence()))
			.put(LEAVING, Boolean.toString(record.leaving()))
			.put(SLOTS, Integer.toString(record.slots().count()))
			.put(HELD, text(record.held()))
			.put(UNDELIVERED, text(millis(record.undelivered())))
			.put(JOINED, Long.toString(record.joined()))
			.put(ERA, Long.toString(record.era()))
			.put(PROTOCOL, Integer.toString(record.settings().protocol()))
			.put(FIELD, record.settings().field());
		LeaseApi.write(lease, record.settings().purpose());
		lease.withObjectProperty("spec")
			.put("holderIdentity", identity)
			.put("leaseDurationSeconds", record.leaseDurationSeconds())
			.put("renewTime", LeaseApi.text(record.renewTime()));
	}

	private static String text(Map<Integer, Long> held) {
		return held.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + entry.getValue())
			.collect(Collectors.joining(","));
	}

	/**
	 * Reads a Lease. Throws an exception if the Lease cannot be read. An unreadable Lease
	 * must not be ignored, because its replica might own any slot.
	 */
	private MemberLease lease(ObjectNode lease) {
		String name = LeaseApi.name(lease);
		try {
			if (!name.startsWith(this.group + ".")) {
				throw new IllegalArgumentException("its name does not begin with '" + this.group + ".'");
			}
			return new LeaseOfMember(name.substring(this.group.length() + 1), lease, record(lease));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException(
					"the Lease " + this.requests.namespace() + "/" + PrintableText.of(name) + " has the label " + GROUP
							+ ", but is not the Lease of a replica: " + PrintableText.of(ex.getMessage()),
					ex);
		}
	}

	/**
	 * Reads the record of a replica. Earlier versions of this library write fewer
	 * annotations, so some have defaults.
	 */
	private static MemberRecord record(ObjectNode lease) {
		JsonNode annotations = lease.path("metadata").path("annotations");
		JsonNode spec = lease.path("spec");
		int leaseDuration = spec.path("leaseDurationSeconds").asInt(0);
		if (leaseDuration < 1) {
			throw new IllegalArgumentException("it has no leaseDurationSeconds");
		}
		return new MemberRecord(annotations.path(INCARNATION).asString(""),
				Long.parseLong(annotations.path(SEQUENCE).asString("")),
				Boolean.parseBoolean(annotations.path(LEAVING).asString("")), leaseDuration,
				LeaseApi.time(spec, "renewTime"), new Slots(Integer.parseInt(annotations.path(SLOTS).asString(""))),
				numbers(annotations.path(HELD).asString("")),
				durations(numbers(annotations.path(UNDELIVERED).asString(""))),
				Long.parseLong(annotations.path(JOINED).asString("0")),
				Long.parseLong(annotations.path(ERA).asString("0")),
				new MemberSettings(Integer.parseInt(annotations.path(PROTOCOL).asString("0")),
						PrintableText.of(annotations.path(FIELD).asString("")), LeaseApi.purpose(lease)));
	}

	private static Map<Integer, Long> millis(Map<Integer, Duration> durations) {
		Map<Integer, Long> millis = new TreeMap<>();
		durations.forEach((slot, duration) -> millis.put(slot, duration.toMillis()));
		return millis;
	}

	private static Map<Integer, Duration> durations(Map<Integer, Long> millis) {
		Map<Integer, Duration> durations = new TreeMap<>();
		millis.forEach((slot, age) -> durations.put(slot, Duration.ofMillis(age)));
		return durations;
	}

	private static Map<Integer, Long> numbers(String text) {
		Map<Integer, Long> numbers = new TreeMap<>();
		if (!text.isEmpty()) {
			for (String entry : text.split(",", -1)) {
				int sign = entry.indexOf('=');
				if (sign < 0) {
					throw new IllegalArgumentException("'" + entry + "' is no slot with a number");
				}
				numbers.put(Integer.parseInt(entry.substring(0, sign)), Long.parseLong(entry.substring(sign + 1)));
			}
		}
		return numbers;
	}

	/** One version of the Lease of a replica. */
	private final class LeaseOfMember implements MemberLease {

		private final String identity;

		private final ObjectNode lease;

		private final MemberRecord record;

		LeaseOfMember(String identity, ObjectNode lease, MemberRecord record) {
			this.identity = identity;
			this.lease = lease;
			this.record = record;
		}

		@Override
		public String identity() {
			return this.identity;
		}

		@Override
		public String resourceVersion() {
			return LeaseApi.resourceVersion(this.lease);
		}

		@Override
		public MemberRecord record() {
			return this.record;
		}

		@Override
		public Mono<MemberLease> update(MemberRecord next) {
			ObjectNode lease = this.lease.deepCopy();
			write(lease, this.identity, next);
			return LeaseMembers.this.requests.update(lease).map(LeaseMembers.this::lease);
		}

		@Override
		public Mono<Void> delete() {
			return LeaseMembers.this.requests.delete(this.lease);
		}

	}

	/** Counts the Leases of an answer while they are read. */
	private static final class LeaseLimit implements RequestListener {

		private int leases;

		private long bytes;

		@Override
		public boolean wantsSizes() {
			return true;
		}

		@Override
		public void listed(long size) {
			this.bytes += size;
			if (++this.leases > MAX_LEASES || this.bytes > MAX_MEGABYTES * 1024L * 1024) {
				throw new IllegalStateException("there are more than " + MAX_LEASES + " Leases with the same label "
						+ GROUP + ", or they have more than " + MAX_MEGABYTES
						+ " MB: remove those that no replica uses");
			}
		}

	}

}
