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
 * loopback interface. It answers discovery requests. Clients can create, read, replace,
 * patch and delete objects, list them with pages and versions, and watch them with
 * history, bookmarks and streamed lists. {@code kubectl} works with it.
 * <p>
 * Writes of clients have the same effects as on a real server. The owners of fields are
 * kept in {@code metadata.managedFields}. An apply is merged by the schema of the type,
 * and refused if it changes fields of other managers. The status has a separate path, and
 * {@code dryRun} and {@code fieldValidation} have an effect. Objects are deleted with
 * their owners. Values are not validated. An object that a test writes with
 * {@link ResourceCollection} is stored as it is.
 * <p>
 * The server keeps its objects in memory, even while it is stopped. It has its own
 * threads and shares nothing with the clients of an application context. All methods may
 * be called from any thread that is not a network event loop.
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
	 * Returns a builder for a server.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Starts to listen. After a stop, listens on the same port as before. Ends an outage,
	 * even one that is about to begin. If the server is listening already, only ends
	 * outages.
	 * @return this server
	 * @throws IllegalStateException if the server is closed
	 */
	public EmbeddedApiServer start() {
		this.lifecycle.start();
		return this;
	}

	/**
	 * Stops like a server that is killed: open connections break, and new connections are
	 * refused. The objects are kept, and {@link #start()} listens on the same port again.
	 */
	public void stop() {
		this.lifecycle.stop();
	}

	/**
	 * Stops the server permanently. Does nothing if the server is closed already.
	 */
	@Override
	public void close() {
		this.lifecycle.close();
	}

	/**
	 * Returns the port of the server.
	 * @return the port; 0 if no port was chosen and the server has not been started yet
	 */
	public int port() {
		return this.lifecycle.port();
	}

	/**
	 * Returns the URL of the server.
	 * @return the URL without a trailing slash
	 * @throws IllegalStateException if the server has never been started and no port was
	 * chosen
	 */
	public URI url() {
		return url(port());
	}

	URI url(int port) {
		return this.access.url(port);
	}

	/**
	 * Returns a kubeconfig for this server. It contains the URL, the authority to trust,
	 * and a token if one is required. Without TLS, clients do not send the token in a
	 * kubeconfig. In this case, give the client the {@link #token()} in another way.
	 * @return the content of a kubeconfig file, in YAML
	 * @throws IllegalStateException if the server has never been started and no port was
	 * chosen
	 */
	public String kubeconfig() {
		return kubeconfig(null);
	}

	/**
	 * Returns a kubeconfig for this server with the certificate of a client.
	 * @param client the certificate, or {@code null} for none
	 * @return the content of a kubeconfig file, in YAML
	 * @throws IllegalStateException if the server has never been started and no port was
	 * chosen
	 */
	public String kubeconfig(@Nullable PemCertificate client) {
		return this.access.kubeconfig(url(), (client != null) ? client.identity() : null);
	}

	/**
	 * Returns a token that the server accepts now.
	 * @return the token, or {@code null} if none is required
	 */
	public @Nullable String token() {
		return this.access.token();
	}

	/**
	 * Returns the certificate that clients must trust: the last certificate of the
	 * current chain.
	 * @return one certificate as PEM text
	 * @throws IllegalStateException if the server has no TLS
	 */
	public String caCertificate() {
		return this.access.requireTls().authority();
	}

	/**
	 * Uses another certificate for all new connections from now on. Open connections
	 * continue.
	 * @param certificate the certificate
	 * @throws IllegalStateException if the server has no TLS
	 * @throws IllegalArgumentException if the certificate cannot be read
	 */
	public void useCertificate(PemCertificate certificate) {
		this.access.requireTls().use(certificate.identity());
	}

	/**
	 * Requires from now on that clients show a certificate of an authority when they
	 * connect. Open connections continue.
	 * @param authority the certificate of the authority, as PEM text
	 * @throws IllegalStateException if the server has no TLS
	 * @throws IllegalArgumentException if the certificate cannot be read
	 */
	public void acceptClientCertificates(String authority) {
		this.access.requireTls().accept(authority);
	}

	/**
	 * Requires one of the given tokens from now on, even if no token was required before.
	 * Requests without one of these tokens are answered with 401. Open watches continue.
	 * @param tokens the tokens; without any, every request is answered with 401
	 */
	public void acceptTokens(String... tokens) {
		this.access.guard().accept(List.of(tokens));
	}

	/**
	 * Returns the collection of a type.
	 * @param plural the plural, or {@code plural.group} if the plural alone is ambiguous
	 * @return the collection
	 * @throws IllegalArgumentException if no such type is registered
	 */
	public ResourceCollection resources(String plural) {
		return new ResourceCollection(this.writes, this.store.type(plural));
	}

	/**
	 * Serves another type from now on, as a cluster does after a definition (CRD) was
	 * installed. If the type was removed before, it begins without objects, and a request
	 * for a version from before the removal is too old (410).
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param kind the kind
	 * @param plural the plural
	 * @param namespaced whether the objects live in namespaces
	 * @param shortNames further names for the command line
	 * @return the collection of the type
	 * @throws IllegalArgumentException if the type is registered already
	 */
	public ResourceCollection addType(String apiVersion, String kind, String plural, boolean namespaced,
			String... shortNames) {
		ServedType type = ServedType.of(apiVersion, kind, plural, namespaced, shortNames);
		this.store.addType(type);
		return new ResourceCollection(this.writes, type);
	}

	/**
	 * Stops serving a type, as a cluster does when a definition (CRD) is removed. The
	 * objects of the type are deleted, then the watches of the type end. Later requests
	 * are answered with 404 in plain text.
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param plural the plural
	 * @throws IllegalArgumentException if no such type is registered
	 */
	public void removeType(String apiVersion, String plural) {
		this.store.removeType(this.store.type(apiVersion, plural));
	}

	/**
	 * Forgets all history, as a compaction of etcd does. A new watch from an earlier
	 * version fails as too old (410), and so does a request with an earlier continue
	 * token. Open watches continue.
	 */
	public void compact() {
		this.store.compact();
	}

	/**
	 * Makes a backup of the current state.
	 * @return a backup of the objects of all collections
	 */
	public Backup backup() {
		return new Backup(this.store.backup());
	}

	/**
	 * Returns to the state of a backup, as a cluster does when an operator restores etcd.
	 * New versions continue from the version of the backup, so versions that were used
	 * after the backup are used a second time. All watches end, and the history starts
	 * again. The backup may be from another server with the same types.
	 * @param backup the backup
	 * @throws IllegalArgumentException if the server of the backup had other types
	 */
	public void restore(Backup backup) {
		this.store.restore(backup.state());
	}

	/**
	 * Ends all open watches cleanly, after they have sent all changes that were made
	 * before this call.
	 */
	public void closeWatches() {
		this.store.closeWatches();
	}

	/**
	 * Sends a bookmark on every open watch that allows bookmarks. The client then knows
	 * that it has received everything up to {@link #resourceVersion()}.
	 */
	public void sendBookmarks() {
		this.store.sendBookmarks();
	}

	/**
	 * Returns the version that a list would have now. All collections share one counter
	 * of versions.
	 * @return the version
	 */
	public String resourceVersion() {
		return Long.toString(this.store.resourceVersion());
	}

	/**
	 * Prepares the server for the next test. Deletes all objects, even objects with
	 * finalizers. Forgets faults and recorded requests. Restores the types, certificates
	 * and tokens of the builder. Starts the server if it was stopped. Open watches
	 * continue and send the deletions, and versions continue to increase.
	 * @throws IllegalStateException if the server is closed
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
	 * Returns how many watches are open.
	 * @return the number of watches
	 */
	public int activeWatches() {
		return this.store.activeWatches();
	}

	/**
	 * Returns how many connections are open.
	 * @return the number of connections
	 */
	public int activeConnections() {
		return this.lifecycle.connections();
	}

	/**
	 * Asks clients with HTTP/2 connections to open new connections (GOAWAY), as servers
	 * do from time to time to spread their load, and before they stop. Requests in
	 * progress, including watches, continue. New requests on the old connections are
	 * ignored.
	 */
	public void goAway() {
		this.lifecycle.goAway();
	}

	/**
	 * Returns the requests received so far, including requests that were answered by a
	 * fault, but not requests for API descriptions ({@code /openapi}). Only the last ten
	 * thousand requests are kept.
	 * @return the requests, oldest first
	 */
	public List<RecordedRequest> requests() {
		return this.requests.all().stream().map(RecordedRequest::of).toList();
	}

	/**
	 * Returns the matching requests received so far.
	 * @param matching decides which requests match, for example
	 * {@code RecordedRequest::isWatch}
	 * @return the requests, oldest first
	 */
	public List<RecordedRequest> requests(Predicate<RecordedRequest> matching) {
		return requests().stream().filter(matching).toList();
	}

	/**
	 * Returns how many requests to create, change or delete something the server has
	 * received since it was built. The number includes requests that {@link #requests()}
	 * does not return any more.
	 * @return the number of writes
	 * @see RecordedRequest#isWrite()
	 */
	public long receivedWrites() {
		return this.requests.writes();
	}

	/**
	 * Forgets the requests received so far.
	 */
	public void clearRequests() {
		this.requests.clear();
	}

	/**
	 * Answers the next matching requests with a fault, except requests for API
	 * descriptions ({@code /openapi}). If several faults match a request, the fault that
	 * was added first is played.
	 * @param requests decides which requests match, for example
	 * {@code RecordedRequest::isWatch}
	 * @param times how many matching requests to answer with the fault
	 * @param fault the fault
	 */
	public void fail(Predicate<RecordedRequest> requests, int times, Fault fault) {
		failAfter(0, requests, times, fault);
	}

	/**
	 * Answers a number of matching requests properly, and the next matching requests with
	 * a fault.
	 * @param passing how many matching requests to answer properly
	 * @param requests decides which requests match, for example
	 * {@code RecordedRequest::isWatch}
	 * @param times how many of the next matching requests to answer with the fault
	 * @param fault the fault
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
	 * Builder of a server.
	 */
	public static final class Builder extends ServerDescription {

		private Builder() {
		}

		@Override
		Builder self() {
			return this;
		}

		/**
		 * Builds the server. It does not listen yet.
		 * @return a new server
		 * @throws IllegalArgumentException if a certificate cannot be read
		 * @throws IllegalStateException if options contradict each other
		 */
		public EmbeddedApiServer build() {
			return new EmbeddedApiServer(options());
		}

		/**
		 * Builds the server and starts it.
		 * @return a new server that listens
		 * @throws IllegalArgumentException if a certificate cannot be read
		 * @throws IllegalStateException if options contradict each other
		 */
		public EmbeddedApiServer start() {
			return build().start();
		}

	}

}
