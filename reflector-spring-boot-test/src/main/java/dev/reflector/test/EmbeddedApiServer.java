package dev.reflector.test;

import java.net.URI;
import java.util.List;
import java.util.function.Predicate;

import dev.reflector.test.internal.access.ServerAccess;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.exchange.RequestLog;
import dev.reflector.test.internal.fault.FaultScript;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.schema.Schemas;
import dev.reflector.test.internal.server.ApiHandler;
import dev.reflector.test.internal.server.Endpoint;
import dev.reflector.test.internal.server.ServerLifecycle;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.write.Writes;
import org.jspecify.annotations.Nullable;

/**
 * A small API server that speaks the Kubernetes protocol over a real socket of the
 * loopback interface: discovery, create, read, replace, patch and delete, lists with
 * pages and versions, watches with history, bookmarks and streamed lists. {@code kubectl}
 * works on it.
 * <p>
 * Clients write as to a real server: who owns which field is kept in
 * {@code metadata.managedFields}, an apply is merged by the schema of the type and
 * refused where others own what it changes, the status has its own path, {@code dryRun}
 * and {@code fieldValidation} are obeyed, and what is owned goes with its owners. Values
 * are not validated. What a test writes itself, by {@link ResourceCollection}, is taken
 * as it is.
 * <p>
 * It keeps its objects in memory for as long as it exists, also while it is stopped. It
 * has its own threads and shares nothing with the clients of an application context. All
 * methods may be called from any thread except those of a network event loop.
 *
 * <pre class="code">
 * void serveWidgets() {
 *     try (EmbeddedApiServer server = EmbeddedApiServer.builder()
 *             .type("example.com/v1", "Widget", "widgets", true)
 *             .start()) {
 *         server.resources("widgets").create("""
 *                 {"metadata": {"name": "first"}, "spec": {"size": 1}}
 *                 """);
 *         System.out.println("point a client at " + server.url());
 *     }
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class EmbeddedApiServer implements AutoCloseable {

	private final ServerOptions options;

	private final ObjectStore store;

	private final Writes writes;

	private final FaultScript faults = new FaultScript();

	private final RequestLog requests = new RequestLog();

	private final ServerAccess access;

	private final ServerLifecycle lifecycle;

	private EmbeddedApiServer(ServerOptions options) {
		this.options = options;
		this.access = new ServerAccess(options.access(), options.clock());
		this.store = new ObjectStore(options.types(), options.historyWindow());
		this.writes = new Writes(this.store, new Schemas(options.schemas(), options.statusSubresources()),
				options.has(ServerFeature.GARBAGE_COLLECTION));
		this.lifecycle = new ServerLifecycle(options, this::listen, this.store, this.faults);
	}

	private Endpoint listen(int port) {
		this.access.roles().listening();
		return new Endpoint(port, new ApiHandler(this.options, this.store, this.writes, this.access, this.requests,
				this.faults, this.lifecycle.control()), this.access, this.faults);
	}

	/**
	 * Begins to describe a server.
	 * @return the description
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Starts to listen, on the same port as before when it has listened before. Ends
	 * outages, also those about to begin; does nothing else when it is listening.
	 * @return this server
	 * @throws IllegalStateException when it is closed
	 */
	public EmbeddedApiServer start() {
		this.lifecycle.start();
		return this;
	}

	/**
	 * Stops as a server stops that is killed: connections break off, and new ones are
	 * refused. The objects stay, and {@link #start()} listens on the same port again.
	 */
	public void stop() {
		this.lifecycle.stop();
	}

	/**
	 * Stops for good. Does nothing when it is closed.
	 */
	@Override
	public void close() {
		this.lifecycle.close();
	}

	/**
	 * The port.
	 * @return the port it listens on or was set to listen on; 0 when any port will do and
	 * it has not been started yet
	 */
	public int port() {
		return this.lifecycle.port();
	}

	/**
	 * Where to find the server.
	 * @return the URL without a trailing slash
	 * @throws IllegalStateException when it has never been started and no port was chosen
	 */
	public URI url() {
		return url(port());
	}

	URI url(int port) {
		return this.access.url(port);
	}

	/**
	 * A kubeconfig for this server: its URL, the authority to trust, and a token when one
	 * is required. Without TLS, clients do not send the token of a kubeconfig: give them
	 * {@link #token()} then.
	 * @return the content of a kubeconfig file, in YAML
	 * @throws IllegalStateException when it has never been started and no port was chosen
	 */
	public String kubeconfig() {
		return kubeconfig(null);
	}

	/**
	 * A kubeconfig for this server with the certificate of a client.
	 * @param client the certificate, {@code null} for none
	 * @return the content of a kubeconfig file, in YAML
	 * @throws IllegalStateException when it has never been started and no port was chosen
	 */
	public String kubeconfig(@Nullable PemCertificate client) {
		return this.access.kubeconfig(url(), (client != null) ? client.identity() : null);
	}

	/**
	 * A token that the server accepts now.
	 * @return the token, or {@code null} when none is required
	 */
	public @Nullable String token() {
		return this.access.token();
	}

	/**
	 * The certificate that clients must trust: the last one of the chain in use.
	 * @return one certificate as PEM text
	 * @throws IllegalStateException when the server has no TLS
	 */
	public String caCertificate() {
		return this.access.requireTls().authority();
	}

	/**
	 * Uses another certificate for all connections made from now on. Those that are open
	 * continue.
	 * @param certificate the certificate
	 * @throws IllegalStateException when the server has no TLS
	 * @throws IllegalArgumentException when the certificate cannot be read
	 */
	public void useCertificate(PemCertificate certificate) {
		this.access.requireTls().use(certificate.identity());
	}

	/**
	 * Requires that clients have a certificate of this authority on all connections made
	 * from now on. Those that are open continue.
	 * @param authority the certificate of the authority, as PEM text
	 * @throws IllegalStateException when the server has no TLS
	 * @throws IllegalArgumentException when the certificate cannot be read
	 */
	public void acceptClientCertificates(String authority) {
		this.access.requireTls().accept(authority);
	}

	/**
	 * Requires one of these tokens from now on, also when none was required before. Other
	 * requests are answered 401; watches that are open continue.
	 * @param tokens the tokens, none to answer every request 401
	 */
	public void acceptTokens(String... tokens) {
		this.access.guard().accept(List.of(tokens));
	}

	/**
	 * A collection.
	 * @param plural the plural, or {@code plural.group} where the plural alone would be
	 * ambiguous
	 * @return the collection
	 * @throws IllegalArgumentException when no such type is registered
	 */
	public ResourceCollection resources(String plural) {
		return new ResourceCollection(this.writes, this.store.type(plural));
	}

	/**
	 * Serves another type from now on, as when its definition (CRD) is installed. A type
	 * that was there before starts over, without objects; versions from before are too
	 * old (410).
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param kind the kind
	 * @param plural the plural
	 * @param namespaced whether the objects live in namespaces
	 * @param shortNames further names for the command line
	 * @return its collection
	 * @throws IllegalArgumentException when the type is registered already
	 */
	public ResourceCollection addType(String apiVersion, String kind, String plural, boolean namespaced,
			String... shortNames) {
		ServedType type = ServedType.of(apiVersion, kind, plural, namespaced, shortNames);
		this.store.addType(type);
		return new ResourceCollection(this.writes, type);
	}

	/**
	 * Serves a type no longer, as when its definition (CRD) is removed: its objects are
	 * deleted, then its watches end, and requests for it are answered 404 in plain text.
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param plural the plural
	 * @throws IllegalArgumentException when no such type is registered
	 */
	public void removeType(String apiVersion, String plural) {
		this.store.removeType(this.store.type(apiVersion, plural));
	}

	/**
	 * Forgets all history, as a compaction of etcd does: a later watch from any version
	 * given out before is too old (410), and so is every continue token. Watches that are
	 * open continue.
	 */
	public void compact() {
		this.store.compact();
	}

	/**
	 * Remembers what there is now.
	 * @return the objects of all collections
	 */
	public Backup backup() {
		return new Backup(this.store.backup());
	}

	/**
	 * Goes back to what there was when a backup was made, as an operator does who
	 * restores etcd: versions count on from there and are given out a second time. All
	 * watches end, and history starts over. The backup may be that of another server with
	 * the same types.
	 * @param backup the backup
	 * @throws IllegalArgumentException when the server of the backup had other types
	 */
	public void restore(Backup backup) {
		this.store.restore(backup.state());
	}

	/**
	 * Ends all open watches cleanly, after they have sent what was written until then.
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
	 * Starts over, as far as clients that are connected allow: deletes all objects,
	 * finalizers or not, forgets faults and recorded requests, serves the types and takes
	 * the certificates and the tokens it was described with, and listens again when it
	 * was stopped. Watches stay open and send the deletions; versions continue, as they
	 * never go back.
	 * @throws IllegalStateException when it is closed
	 */
	public void reset() {
		this.faults.clear();
		this.access.reset();
		this.store.setTypes(this.options.types());
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
	 * How many connections are open.
	 * @return the number of connections
	 */
	public int activeConnections() {
		return this.lifecycle.connections();
	}

	/**
	 * Asks the clients that are connected by HTTP/2 to make new connections (GOAWAY), as
	 * servers do from time to time to spread their load, and before they stop: requests
	 * in progress, watches too, continue, and new ones on the same connections are passed
	 * over.
	 */
	public void goAway() {
		this.lifecycle.goAway();
	}

	/**
	 * The requests received so far, those included that were answered by a fault, and
	 * without those for API descriptions ({@code /openapi}). Only the last ten thousand
	 * are kept.
	 * @return the requests, oldest first
	 */
	public List<RecordedRequest> requests() {
		return this.requests.all().stream().map(RecordedRequest::of).toList();
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
	 * Answers the next requests that match by a fault, except those for API descriptions
	 * ({@code /openapi}). Of several faults for a request the one that was given first is
	 * played first.
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
		this.faults.add((received) -> requests.test(RecordedRequest.of(received)), passing, times, fault::play);
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
	public static final class Builder extends ServerDescription {

		private Builder() {
		}

		@Override
		Builder self() {
			return this;
		}

		/**
		 * Makes the server, which does not listen yet.
		 * @return a new server
		 * @throws IllegalArgumentException when a certificate cannot be read
		 * @throws IllegalStateException when options do not go together
		 */
		public EmbeddedApiServer build() {
			return new EmbeddedApiServer(options());
		}

		/**
		 * Makes the server and starts it.
		 * @return a new server that listens
		 * @throws IllegalArgumentException when a certificate cannot be read
		 * @throws IllegalStateException when options do not go together
		 */
		public EmbeddedApiServer start() {
			return build().start();
		}

	}

}
