package dev.reflector.client.internal.exchange;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.client.options.ObjectFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;

/**
 * Decides which form of objects is requested: whole objects or only their metadata
 * (W-59), in JSON, CBOR or protobuf (W-61). A server may always send whole objects in
 * JSON instead, because every request accepts them. If the server has refused a form with
 * 406 or 415, it is not requested again.
 */
public final class ContentNegotiation {

	private static final Logger logger = LoggerFactory.getLogger(ContentNegotiation.class);

	private static final String JSON = MediaType.APPLICATION_JSON_VALUE;

	private static final String CBOR = MediaTypes.CBOR;

	private static final String PROTOBUF = MediaTypes.PROTOBUF;

	private static final String METADATA = ";as=%s;g=meta.k8s.io;v=v1";

	/** The requested format, which is JSON after another format was refused. */
	private final AtomicReference<ObjectFormat> format;

	/** Returns whether whole objects can be requested in the format. */
	private final BooleanSupplier whole;

	private volatile boolean metadataOnly;

	/**
	 * Creates a negotiation that requests a form until the server refuses it.
	 * @param metadataOnly whether to request only metadata
	 * @param format the format to request
	 * @param protobuf returns whether whole objects can be requested in protobuf; called
	 * before each request if the format is protobuf
	 */
	public ContentNegotiation(boolean metadataOnly, ObjectFormat format, BooleanSupplier protobuf) {
		this(metadataOnly, new AtomicReference<>((format == ObjectFormat.AUTO) ? ObjectFormat.PROTOBUF : format),
				protobuf);
	}

	private ContentNegotiation(boolean metadataOnly, AtomicReference<ObjectFormat> format, BooleanSupplier whole) {
		this.metadataOnly = metadataOnly;
		this.format = format;
		this.whole = whole;
	}

	/**
	 * Returns the negotiation for requests that need only the metadata of the same
	 * objects.
	 * @return a negotiation that shares the format with this one
	 */
	public ContentNegotiation ofMetadata() {
		return new ContentNegotiation(true, this.format, this.whole);
	}

	public ApiRequest list(ApiRequest request) {
		return as(request, "PartialObjectMetadataList");
	}

	public ApiRequest watch(ApiRequest request) {
		return as(request, "PartialObjectMetadata");
	}

	private ApiRequest as(ApiRequest request, String kind) {
		String metadata = METADATA.formatted(kind);
		return switch (this.format.get()) {
			case CBOR -> request.accepting(this.metadataOnly
					? CBOR + metadata + "," + JSON + metadata + ";q=0.9," + CBOR + ";q=0.8," + JSON + ";q=0.7"
					: CBOR + "," + JSON + ";q=0.9");
			case PROTOBUF -> protobuf(request, metadata);
			default -> this.metadataOnly ? request.accepting(JSON + metadata + "," + JSON) : request;
		};
	}

	/**
	 * Requests protobuf. In protobuf, metadata has the same form for all types, so it can
	 * always be read. Whole objects can be read only if the fields of the type are known.
	 */
	private ApiRequest protobuf(ApiRequest request, String metadata) {
		if (this.metadataOnly) {
			return request.accepting(PROTOBUF + metadata + "," + JSON + metadata + ";q=0.9," + JSON + ";q=0.8");
		}
		return this.whole.getAsBoolean() ? request.accepting(PROTOBUF + "," + JSON + ";q=0.9") : request;
	}

	/**
	 * Returns whether the server has refused the form of a request.
	 * @param request the request
	 * @param failure the failure of the request
	 * @return {@code true} if the request must be repeated in another form
	 */
	public boolean isRefusal(ApiRequest request, Throwable failure) {
		int code = (failure instanceof ApiException answered) ? answered.status().code() : 0;
		return (request.acceptsOther() && (code == 406 || code == 415))
				|| (request.accept().contains(";as=") && code == 406);
	}

	/**
	 * Abandons a refused form. If the format was not JSON, JSON is requested from now on.
	 * Otherwise, whole objects are requested instead of only their metadata.
	 * @param request the request whose form was refused
	 * @return a publisher that abandons the form when it is subscribed, and then
	 * completes
	 */
	public Mono<Void> giveUp(ApiRequest request) {
		return Mono.deferContextual((context) -> {
			if (!request.acceptsOther()) {
				wholeObjects(request);
				return Mono.empty();
			}
			ObjectFormat refused = this.format.getAndSet(ObjectFormat.JSON);
			if (refused != ObjectFormat.JSON) {
				logger.info("{}: the server does not accept requests for {}. From now on, JSON is requested", request,
						(refused == ObjectFormat.CBOR) ? "CBOR" : "protobuf");
				RequestListener.of(context).formatRefused();
			}
			return Mono.empty();
		});
	}

	private void wholeObjects(ApiRequest request) {
		if (this.metadataOnly) {
			this.metadataOnly = false;
			logger.info("{}: the server does not send metadata alone. Whole objects are requested instead", request);
		}
	}

}
