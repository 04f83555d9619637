package dev.reflector.test.internal.server;

import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.access.ServerAccess;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ApiPath;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.discovery.Discovery;
import dev.reflector.test.internal.discovery.OpenApi;
import dev.reflector.test.internal.exchange.RequestLog;
import dev.reflector.test.internal.exchange.ServerControl;
import dev.reflector.test.internal.exchange.ServerExchange;
import dev.reflector.test.internal.fault.Behaviour;
import dev.reflector.test.internal.fault.FaultScript;
import dev.reflector.test.internal.format.Negotiation;
import dev.reflector.test.internal.format.WireFormat;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.read.ListBody;
import dev.reflector.test.internal.read.ResourceReads;
import dev.reflector.test.internal.store.CollectionState;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.Selection;
import dev.reflector.test.internal.write.Patch;
import dev.reflector.test.internal.write.ResourceWrites;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers requests: by a fault when one is to be played, else properly.
 */
public final class ApiHandler implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {

	/**
	 * What old clients ask for. It is no valid media type, so the answer is called
	 * otherwise: client-go refuses to read an answer whose type it cannot parse.
	 */
	private static final String PROTOBUF_V2_ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

	private static final String PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

	private final ServerOptions options;

	private final ObjectStore store;

	private final ResourceReads reads;

	private final ServerAccess access;

	private final RequestLog requests;

	private final FaultScript faults;

	private final ServerControl control;

	private final Negotiation negotiation;

	private final Discovery discovery;

	private final OpenApi openApi;

	public ApiHandler(ServerOptions options, ObjectStore store, ServerAccess access, RequestLog requests,
			FaultScript faults, ServerControl control) {
		this.options = options;
		this.store = store;
		this.reads = new ResourceReads(store, options);
		this.access = access;
		this.requests = requests;
		this.faults = faults;
		this.control = control;
		this.negotiation = new Negotiation(options.has(ServerFeature.CBOR),
				options.has(ServerFeature.PARTIAL_OBJECT_METADATA));
		this.discovery = new Discovery(store::types);
		this.openApi = new OpenApi(store::types, options.schemas());
	}

	@Override
	public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
		ServerExchange exchange = ServerExchange.of(request, response, this.control, this.negotiation);
		if (exchange.received().path().startsWith("/openapi/")) {
			// asked for in the background, by whoever validates: no test counts on them
			return answerOrFail(exchange);
		}
		this.requests.add(exchange.received());
		// the one place where faults come in
		Behaviour fault = this.faults.next(exchange.received());
		return (fault != null) ? fault.answer(exchange, this::answerOrFail) : answerOrFail(exchange);
	}

	private Publisher<Void> answerOrFail(ServerExchange exchange) {
		try {
			return answer(exchange);
		}
		catch (RuntimeException ex) {
			return exchange.failure(ApiFailure.from(ex));
		}
	}

	private Publisher<Void> answer(ServerExchange exchange) {
		this.access.guard().check(exchange);
		String path = exchange.received().path();
		ApiPath apiPath = ApiPath.parse(path);
		if (apiPath != null && !apiPath.plural().isEmpty()) {
			ServedType type = find(apiPath);
			return (type != null) ? resource(exchange, apiPath, type) : nowhere(exchange);
		}
		if (this.options.has(ServerFeature.AGGREGATED_DISCOVERY) && Discovery.isRoot(path)
				&& Negotiation.aggregatedDiscovery(exchange.header("Accept"))) {
			return exchange.discovery(this.discovery.aggregated(path));
		}
		ObjectNode found = this.discovery.answer(path);
		if (found != null) {
			return exchange.json(200, found);
		}
		return switch (path) {
			case "/livez", "/readyz", "/healthz" -> exchange.text(200, "ok");
			case "/openapi/v2" -> openApiV2(exchange);
			default -> openApiV3(exchange, path);
		};
	}

	private static Publisher<Void> nowhere(ServerExchange exchange) {
		return exchange.text(404, "404 page not found\n");
	}

	private @Nullable ServedType find(ApiPath path) {
		return this.store.types().stream().filter(path::leadsTo).findFirst().orElse(null);
	}

	private Publisher<Void> openApiV2(ServerExchange exchange) {
		String accept = exchange.header("Accept");
		if (accept.contains(PROTOBUF_V2) || accept.contains(PROTOBUF_V2_ASKED)) {
			return exchange.bytes(200, PROTOBUF_V2, this.openApi.v2Protobuf());
		}
		return exchange.json(200, this.openApi.v2());
	}

	private Publisher<Void> openApiV3(ServerExchange exchange, String path) {
		ObjectNode document = this.openApi.v3(path);
		return (document != null) ? exchange.json(200, document) : nowhere(exchange);
	}

	private Publisher<Void> resource(ServerExchange exchange, ApiPath path, ServedType type) {
		this.access.roles().check(exchange, type);
		if (!path.subresource().isEmpty() && !"status".equals(path.subresource())) {
			throw ApiFailure.unknownSubresource(type, path.name());
		}
		// before anything is done, turns down what cannot be answered
		exchange.representation();
		if (exchange.parameters().has("dryRun")) {
			throw ApiFailure.badRequest("this server has no dry run");
		}
		return path.name().isEmpty() ? collection(exchange, path, type) : object(exchange, path, type);
	}

	private Publisher<Void> collection(ServerExchange exchange, ApiPath path, ServedType type) {
		String method = exchange.received().method();
		if ("GET".equals(method)) {
			if ("websocket".equalsIgnoreCase(exchange.header("Upgrade"))) {
				// at once, so that a client which would like one watches without it
				return exchange.text(200, "this server has no WebSockets\n");
			}
			return exchange.parameters().flag("watch") ? this.reads.watch(exchange, type, path.namespace())
					: this.reads.list(exchange, type, path.namespace());
		}
		if (type.namespaced() && path.namespace().isEmpty()) {
			return nowhere(exchange);
		}
		if ("DELETE".equals(method)) {
			return deleteAll(exchange, path, type);
		}
		if ("POST".equals(method)) {
			return withContent(exchange,
					(content) -> exchange.object(201, writes(type).create(path.namespace(), content)));
		}
		if ("PUT".equals(method) || "PATCH".equals(method)) {
			throw ApiFailure.badRequest("name must be provided");
		}
		throw ApiFailure.methodNotAllowed();
	}

	private Publisher<Void> object(ServerExchange exchange, ApiPath path, ServedType type) {
		boolean status = !path.subresource().isEmpty();
		return switch (exchange.received().method()) {
			case "GET" -> this.reads.get(exchange, type, path);
			case "PUT" -> withContent(exchange,
					(content) -> update(exchange, path, type, (before) -> versioned(path, type, content)));
			case "PATCH" -> patch(exchange, path, type);
			case "DELETE" -> {
				if (status) {
					throw ApiFailure.deleteNotSupported(type);
				}
				yield delete(exchange, path, type);
			}
			default -> throw ApiFailure.methodNotAllowed();
		};
	}

	/** Custom resources are not replaced without a word on what is replaced. */
	private static ObjectNode versioned(ApiPath path, ServedType type, ObjectNode content) {
		JsonNode metadata = content.path("metadata");
		if (!type.builtIn() && Json.text(metadata, "resourceVersion").isEmpty()
				&& path.name().equals(Json.text(metadata, "name"))) {
			throw ApiFailure.invalid(type, type.plural(), path.name(), "metadata.resourceVersion",
					"Invalid value: 0: must be specified for an update");
		}
		return content;
	}

	private Publisher<Void> patch(ServerExchange exchange, ApiPath path, ServedType type) {
		Patch patch = Patch.of(type, exchange.header("Content-Type"));
		return exchange.withBody((bytes) -> {
			JsonNode change = Json.readAny(bytes);
			return update(exchange, path, type, (before) -> patch.apply(before, change));
		});
	}

	private Publisher<Void> update(ServerExchange exchange, ApiPath path, ServedType type,
			UnaryOperator<ObjectNode> change) {
		return exchange.object(200,
				writes(type).update(path.namespace(), path.name(), !path.subresource().isEmpty(), change));
	}

	private Publisher<Void> delete(ServerExchange exchange, ApiPath path, ServedType type) {
		return exchange.withBody((bytes) -> {
			ObjectNode options = options(exchange, bytes);
			return exchange.success(writes(type).delete(path.namespace(), path.name(), options));
		});
	}

	/** Answers with a list of what was there, as of before. */
	private Publisher<Void> deleteAll(ServerExchange exchange, ApiPath path, ServedType type) {
		return exchange.withBody((bytes) -> {
			exchange.parameters().checkList();
			ObjectNode options = options(exchange, bytes);
			Selection selection = Selection.of(type, path.namespace(), exchange.parameters(), false);
			CollectionState.Page page = this.store.current(type).page(selection, "", 0);
			page.items().forEach((object) -> writes(type).delete(object.namespace(), object.name(), options));
			return ListBody
				.of(this.options, type, page, selection, exchange.representation(), this.options.clock().instant())
				.send(exchange);
		});
	}

	private ObjectNode options(ServerExchange exchange, byte[] body) {
		return (body.length > 0) ? format(exchange).read(body) : Json.object();
	}

	private WireFormat format(ServerExchange exchange) {
		return this.negotiation.ofBody(exchange.header("Content-Type"));
	}

	private Publisher<Void> withContent(ServerExchange exchange, ContentAnswer answer) {
		WireFormat format = format(exchange);
		return exchange.withBody((bytes) -> Mono.from(answer.to(format.read(bytes))));
	}

	private ResourceWrites writes(ServedType type) {
		return new ResourceWrites(this.store, type);
	}

	/**
	 * A way to answer an object.
	 */
	private interface ContentAnswer {

		Publisher<Void> to(ObjectNode content);

	}

}
