package dev.reflector.test;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A small API server that speaks the Kubernetes protocol over a real socket of the
 * loopback interface: discovery, create, read, replace, patch and delete, lists with
 * pages and versions, watches with history, bookmarks and streamed lists. {@code kubectl}
 * works on it.
 * <p>
 * It keeps its objects in memory for as long as it exists, also while it is stopped. It
 * has its own threads and shares nothing with the clients of an application context. All
 * methods may be called from any thread except those of a network event loop.
 *
 * <pre class="code">
 * try (EmbeddedApiServer server = EmbeddedApiServer.builder()
 *         .type("example.com/v1", "Widget", "widgets", true)
 *         .start()) {
 *     server.resources("widgets").create("""
 *             {"metadata": {"name": "first"}, "spec": {"size": 1}}
 *             """);
 *     // point a client at server.url()
 * }
 * </pre>
 */
public final class EmbeddedApiServer implements AutoCloseable {

	private final ReentrantLock lifecycle = new ReentrantLock();

	private final List<ServedType> types;

	private final ObjectStore store;

	private final FaultScript faults = new FaultScript();

	private final RequestLog requests = new RequestLog();

	private final ServerControl control;

	private final ApiHandler handler;

	private volatile int port;

	private @Nullable Endpoint running;

	private boolean closed;

	private EmbeddedApiServer(Builder builder) {
		this.types = List.copyOf(builder.types);
		this.port = builder.port;
		this.store = new ObjectStore(this.types, builder.historyWindow);
		this.control = new ServerControl(this.store, this::halt, this::comeBack);
		this.handler = new ApiHandler(
				this.types, this.store, new ResourceReads(this.store, builder.watchList, builder.bookmarkInterval,
						builder.versionTimeout, builder.gzipWatches, builder.sharding),
				this.requests, this.faults, this.control);
	}

	/**
	 * Begins to describe a server.
	 * @return the description
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Starts to listen, on the same port as before when it has listened before. Does
	 * nothing when it is listening.
	 * @return this server
	 * @throws IllegalStateException when it is closed
	 */
	public EmbeddedApiServer start() {
		this.lifecycle.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException("The server is closed");
			}
			if (this.running == null) {
				Endpoint endpoint = new Endpoint(this.port, this.handler);
				this.port = endpoint.port();
				this.running = endpoint;
			}
			return this;
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Stops as a server stops that is killed: connections break off, and new ones are
	 * refused. The objects stay, and {@link #start()} listens on the same port again.
	 */
	public void stop() {
		this.control.cancel();
		halt();
	}

	private void halt() {
		this.lifecycle.lock();
		try {
			Endpoint running = this.running;
			if (running != null) {
				this.running = null;
				running.shut();
				this.store.closeWatches();
				running.endThreads();
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void comeBack() {
		this.lifecycle.lock();
		try {
			if (!this.closed) {
				start();
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Stops for good. Does nothing when it is closed.
	 */
	@Override
	public void close() {
		this.lifecycle.lock();
		try {
			this.closed = true;
			stop();
			this.control.close();
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * The port.
	 * @return the port it listens on or was told to listen on; 0 when any port will do
	 * and it has not been started yet
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Where to find the server.
	 * @return the URL without a trailing slash
	 * @throws IllegalStateException when it has never been started and no port was chosen
	 */
	public URI url() {
		if (this.port == 0) {
			throw new IllegalStateException("The server has no port before it is started");
		}
		return URI.create("http://" + Endpoint.HOST + ":" + this.port);
	}

	/**
	 * A collection.
	 * @param plural the plural, or {@code plural.group} where the plural alone would be
	 * ambiguous
	 * @return the collection
	 * @throws IllegalArgumentException when no such type is registered
	 */
	public ResourceCollection resources(String plural) {
		return this.types.stream()
			.filter((type) -> type.plural().equals(plural) || type.qualifiedPlural().equals(plural))
			.findFirst()
			.map((type) -> new ResourceCollection(this.store, type))
			.orElseThrow(() -> new IllegalArgumentException("No type '" + plural + "' is registered, only "
					+ this.types.stream().map(ServedType::qualifiedPlural).toList()));
	}

	/**
	 * Forgets all history, as a compaction of etcd does: a later watch from any version
	 * given out before is too old (410), and so is every continue token. Watches that are
	 * open go on.
	 */
	public void compact() {
		this.store.compact();
	}

	/**
	 * Remembers what there is now.
	 * @return the objects of all collections
	 */
	public Backup backup() {
		return this.store.backup();
	}

	/**
	 * Goes back to what there was when a backup was made, as an operator does who
	 * restores etcd: versions count on from there and are given out a second time. All
	 * watches end, and history begins anew. The backup may be that of another server with
	 * the same types.
	 * @param backup the backup
	 * @throws IllegalArgumentException when the server of the backup had other types
	 */
	public void restore(Backup backup) {
		this.store.restore(backup);
	}

	/**
	 * Ends all open watches cleanly.
	 */
	public void closeWatches() {
		this.store.closeWatches();
	}

	/**
	 * Sends a bookmark now on every open watch that allows bookmarks: its client learns
	 * that it has seen everything up to {@link #resourceVersion()}.
	 */
	public void sendBookmarks() {
		this.store.sendBookmarks();
	}

	/**
	 * The version a list would have now. All collections share one counter.
	 * @return the version
	 */
	public String resourceVersion() {
		return Long.toString(this.store.resourceVersion());
	}

	/**
	 * Begins anew, as far as clients that are connected allow: deletes all objects,
	 * finalizers or not, forgets faults and recorded requests, and listens again when it
	 * was stopped. Watches stay open and are told of the deletions; versions go on, as
	 * they never go back.
	 * @throws IllegalStateException when it is closed
	 */
	public void reset() {
		this.faults.clear();
		this.store.deleteAll();
		start();
		clearRequests();
	}

	/**
	 * How many watches are open.
	 * @return the number of watches
	 */
	public int activeWatches() {
		return this.store.activeWatches();
	}

	/**
	 * The requests received so far, those included that were answered by a fault. Only
	 * the last ten thousand are kept.
	 * @return the requests, oldest first
	 */
	public List<RecordedRequest> requests() {
		return this.requests.all();
	}

	/**
	 * The requests received so far that match.
	 * @param matching which requests, for example {@code RecordedRequest::isWatch}
	 * @return the requests, oldest first
	 */
	public List<RecordedRequest> requests(Predicate<RecordedRequest> matching) {
		return requests().stream().filter(matching).toList();
	}

	/**
	 * Forgets the requests received so far.
	 */
	public void clearRequests() {
		this.requests.clear();
	}

	/**
	 * Answers the next requests that match by a fault. Of several faults for a request
	 * the one that was given first is played first.
	 * @param requests which requests, for example {@code RecordedRequest::isWatch}
	 * @param times how many of them
	 * @param fault what to do with them
	 */
	public void fail(Predicate<RecordedRequest> requests, int times, Fault fault) {
		failAfter(0, requests, times, fault);
	}

	/**
	 * Lets some of the next requests that match pass and answers those after them by a
	 * fault.
	 * @param passing how many of them to let pass
	 * @param requests which requests, for example {@code RecordedRequest::isWatch}
	 * @param times how many of those after that to answer by the fault
	 * @param fault what to do with them
	 */
	public void failAfter(int passing, Predicate<RecordedRequest> requests, int times, Fault fault) {
		if (passing < 0) {
			throw new IllegalArgumentException("'passing' must not be negative");
		}
		if (times < 1) {
			throw new IllegalArgumentException("'times' must be positive");
		}
		this.faults.add(requests, passing, times, fault);
	}

	/**
	 * Forgets the faults that have not been played yet.
	 */
	public void clearFaults() {
		this.faults.clear();
	}

	/**
	 * Describes a server.
	 */
	public static final class Builder {

		private final List<ServedType> types = new ArrayList<>();

		private int port;

		private int historyWindow = 10_000;

		private Duration bookmarkInterval = Duration.ofMinutes(1);

		private Duration versionTimeout = Duration.ofMillis(200);

		private boolean watchList = true;

		private boolean gzipWatches;

		private boolean sharding;

		private Builder() {
		}

		/**
		 * The port to listen on. The default, 0, takes any free port.
		 * @param port the port
		 * @return this description
		 */
		public Builder port(int port) {
			if (port < 0 || port > 65535) {
				throw new IllegalArgumentException("'port' must be between 0 and 65535");
			}
			this.port = port;
			return this;
		}

		/**
		 * Registers a type. Types of groups whose name has no dot (such as {@code apps})
		 * or ends in {@code .k8s.io}, and of the core group, are taken for built-in ones,
		 * whose lists real servers write differently.
		 * @param apiVersion {@code group/version}, or {@code version} for the core group
		 * @param kind the kind
		 * @param plural the plural
		 * @param namespaced whether the objects live in namespaces
		 * @param shortNames further names for the command line
		 * @return this description
		 */
		public Builder type(String apiVersion, String kind, String plural, boolean namespaced, String... shortNames) {
			ResourceType type = ResourceType.of(apiVersion, kind, plural);
			boolean known = this.types.stream()
				.anyMatch((served) -> served.type().apiVersion().equals(apiVersion) && served.plural().equals(plural));
			if (known) {
				throw new IllegalArgumentException("'" + plural + "' of '" + apiVersion + "' is registered already");
			}
			this.types.add(new ServedType(type, namespaced, List.of(shortNames)));
			return this;
		}

		/**
		 * How many of the latest changes of each type are remembered, which is how far
		 * back a watch can begin and a page can be continued, and how far a slow watch
		 * may lag behind before it is cut off. The default is 10000.
		 * @param changes the number of changes
		 * @return this description
		 */
		public Builder historyWindow(int changes) {
			if (changes < 1) {
				throw new IllegalArgumentException("'changes' must be positive");
			}
			this.historyWindow = changes;
			return this;
		}

		/**
		 * The time between the bookmarks of a watch that allows them. The default is one
		 * minute.
		 * @param interval the time
		 * @return this description
		 */
		public Builder bookmarkInterval(Duration interval) {
			if (interval.isNegative() || interval.isZero()) {
				throw new IllegalArgumentException("'interval' must be positive");
			}
			this.bookmarkInterval = interval;
			return this;
		}

		/**
		 * How long a request that asks for a version which is yet to come waits for it,
		 * before it is answered 504. The default is 200 milliseconds, for the sake of
		 * quick tests; real servers wait for three seconds.
		 * @param timeout the time
		 * @return this description
		 */
		public Builder versionTimeout(Duration timeout) {
			if (timeout.isNegative() || timeout.isZero()) {
				throw new IllegalArgumentException("'timeout' must be positive");
			}
			this.versionTimeout = timeout;
			return this;
		}

		/**
		 * Whether watches may begin with a streamed list ({@code sendInitialEvents}). The
		 * default is {@code true}; servers without it answer such a request with 422.
		 * @param watchList whether lists are streamed
		 * @return this description
		 */
		public Builder watchList(boolean watchList) {
			this.watchList = watchList;
			return this;
		}

		/**
		 * Whether watches that begin with the state are compressed for clients that
		 * accept gzip, as by servers from 1.37 on: each flush is a gzip member of its
		 * own. The default is {@code false}.
		 * @param gzipWatches whether they are compressed
		 * @return this description
		 */
		public Builder gzipWatches(boolean gzipWatches) {
			this.gzipWatches = gzipWatches;
			return this;
		}

		/**
		 * Whether lists and watches know {@code shardSelector}. Lists of built-in types
		 * say so with {@code shardInfo}. The default is {@code false}; servers without it
		 * ignore the parameter.
		 * @param sharding whether requests can ask for shards
		 * @return this description
		 */
		public Builder sharding(boolean sharding) {
			this.sharding = sharding;
			return this;
		}

		/**
		 * Makes the server, which does not listen yet.
		 * @return a new server
		 */
		public EmbeddedApiServer build() {
			return new EmbeddedApiServer(this);
		}

		/**
		 * Makes the server and starts it.
		 * @return a new server that listens
		 */
		public EmbeddedApiServer start() {
			return build().start();
		}

	}

}
