package dev.reflector.test.internal.server;

import java.util.function.BiFunction;

import dev.reflector.test.internal.access.ServerAccess;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ApiPath;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.discovery.Discovery;
import dev.reflector.test.internal.discovery.OpenApi;
import dev.reflector.test.internal.exchange.ServerExchange;
import dev.reflector.test.internal.exchange.RequestLog;
import dev.reflector.test.internal.exchange.ServerControl;
import dev.reflector.test.internal.fault.Behaviour;
import dev.reflector.test.internal.fault.FaultScript;
import dev.reflector.test.internal.format.Negotiation;
import dev.reflector.test.internal.format.WireFormat;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.read.ListBody;
import dev.reflector.test.internal.read.ResourceReads;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.Selection;
import dev.reflector.test.internal.store.CollectionState;
import dev.reflector.test.internal.write.Deletion;
import dev.reflector.test.internal.write.Patch;
import dev.reflector.test.internal.write.ResourceWrites;
import dev.reflector.test.internal.write.WriteOptions;
import dev.reflector.test.internal.write.Writes;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers requests: with a fault if one is due, otherwise properly.
 */
public final class ApiHandler implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {

	/**
	 * The media type that old clients request. It is malformed, so the answer must have
	 * another media type: client-go refuses an answer whose media type it cannot parse.
	 */
	private static final String PROTOBUF_V2_ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

	private static final String PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

	private final ServerOptions options;

	private final ObjectStore store;

	private final Writes writes;

	private final ResourceReads reads;

	private final ServerAccess access;

	private final RequestLog requests;

	private final FaultScript faults;

	private final ServerControl control;

	private final Negotiation negotiation;

	private final Discovery discovery;

	private final OpenApi openApi;

	public ApiHandler(ServerOptions options, ObjectStore store, Writes writes, ServerAccess access, RequestLog requests,
			FaultScript faults, ServerControl control) {
		this.options = options;
		this.store = store;
		this.writes = writes;
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
			// requests for API descriptions are not recorded, because clients send them
			// in the background
			return answerOrFail(exchange);
		}
		this.requests.add(exchange.received());
		// the only place where faults are played
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
		if (!path.subresource().isEmpty() && !this.writes.of(type).hasSubresource(path.subresource())) {
			throw ApiFailure.unknownSubresource(type, path.name());
		}
		// fails if the client accepts no supported format; checked before anything is
		// changed
		exchange.representation();
		return path.name().isEmpty() ? collection(exchange, path, type) : object(exchange, path, type);
	}

	private Publisher<Void> collection(ServerExchange exchange, ApiPath path, ServedType type) {
		String method = exchange.received().method();
		if ("GET".equals(method)) {
			if ("websocket".equalsIgnoreCase(exchange.header("Upgrade"))) {
				// a client that prefers a WebSocket is refused at once, so that it opens
				// the watch without a WebSocket
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
			return withContent(exchange, "CreateOptions", (content, options) -> exchange.object(201,
					this.writes.of(type).create(path.namespace(), content, options)));
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
			case "PUT" -> withContent(exchange, "UpdateOptions", (content, options) -> exchange.object(200,
					this.writes.of(type).replace(path.namespace(), path.name(), status, content, options)));
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

	private Publisher<Void> patch(ServerExchange exchange, ApiPath path, ServedType type) {
		boolean status = !path.subresource().isEmpty();
		String contentType = exchange.header("Content-Type");
		if (Patch.isApply(contentType)) {
			return exchange.withBody((bytes) -> {
				ResourceWrites.Applied applied = this.writes.of(type)
					.apply(path.namespace(), path.name(), status, bytes, exchange.parameters(), exchange::warn);
				return exchange.object(applied.created() ? 201 : 200, applied.object());
			});
		}
		Patch patch = Patch.of(type, contentType);
		return exchange.withBody((bytes) -> {
			WriteOptions options = WriteOptions
				.ofPatch(exchange.parameters(), exchange.header("User-Agent"), exchange::warn)
				.withBody(bytes);
			JsonNode change = Json.readAny(bytes);
			return exchange.object(200, this.writes.of(type)
				.patch(path.namespace(), path.name(), status, (before) -> patch.apply(before, change), options));
		});
	}

	private Publisher<Void> delete(ServerExchange exchange, ApiPath path, ServedType type) {
		return exchange.withBody((bytes) -> {
			Deletion deletion = deletion(exchange, bytes);
			return exchange.success(this.writes.of(type).delete(path.namespace(), path.name(), deletion));
		});
	}

	/**
	 * Deletes all selected objects. Answers with a list of these objects in their states
	 * before the deletion.
	 */
	private Publisher<Void> deleteAll(ServerExchange exchange, ApiPath path, ServedType type) {
		return exchange.withBody((bytes) -> {
			exchange.parameters().checkList();
			Deletion deletion = deletion(exchange, bytes);
			Selection selection = Selection.of(type, path.namespace(), exchange.parameters(), false);
			CollectionState.Page page = this.store.current(type).page(selection, "", 0);
			page.items().forEach((object) -> this.writes.of(type).delete(object.namespace(), object.name(), deletion));
			return ListBody
				.of(this.options, type, page, selection, exchange.representation(), this.options.clock().instant())
				.send(exchange);
		});
	}

	private Deletion deletion(ServerExchange exchange, byte[] body) {
		return Deletion.of((body.length > 0) ? format(exchange).read(body) : Json.object(), exchange.parameters());
	}

	private WireFormat format(ServerExchange exchange) {
		return this.negotiation.ofBody(exchange.header("Content-Type"));
	}

	private Publisher<Void> withContent(ServerExchange exchange, String kind, ContentAnswer answer) {
		WireFormat format = format(exchange);
		return exchange.withBody((bytes) -> {
			WriteOptions options = WriteOptions.of(kind, exchange.parameters(), exchange.header("User-Agent"),
					exchange::warn);
			return Mono
				.from(answer.to(format.read(bytes), (format == WireFormat.JSON) ? options.withBody(bytes) : options));
		});
	}

	/**
	 * Answers a request whose body is an object.
	 */
	private interface ContentAnswer {

		Publisher<Void> to(ObjectNode content, WriteOptions options);

	}

}
