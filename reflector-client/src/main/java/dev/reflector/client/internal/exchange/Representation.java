package dev.reflector.client.internal.exchange;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.FormatFallbacks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;

/**
 * In which form objects are asked for: in full, or their metadata alone as far as the
 * server can do that (W-59), and in JSON, or in CBOR as well (W-61). A server that cannot
 * may answer with full objects in JSON, because that form is acceptable too, or with 406
 * or 415, after which it is not asked again.
 */
public final class Representation {

	private static final Logger logger = LoggerFactory.getLogger(Representation.class);

	private static final String JSON = MediaType.APPLICATION_JSON_VALUE;

	private static final String CBOR = CborOffer.MEDIA_TYPE;

	private static final String METADATA = ";as=%s;g=meta.k8s.io;v=v1";

	private final CborOffer cbor;

	private volatile boolean metadataOnly;

	public Representation(boolean metadataOnly, CborOffer cbor) {
		this.metadataOnly = metadataOnly;
		this.cbor = cbor;
	}

	public ApiRequest list(ApiRequest request) {
		return as(request, "PartialObjectMetadataList");
	}

	public ApiRequest watch(ApiRequest request) {
		return as(request, "PartialObjectMetadata");
	}

	private ApiRequest as(ApiRequest request, String kind) {
		String metadata = METADATA.formatted(kind);
		if (this.cbor.isOpen()) {
			return request.accepting(this.metadataOnly
					? CBOR + metadata + "," + JSON + metadata + ";q=0.9," + CBOR + ";q=0.8," + JSON + ";q=0.7"
					: CBOR + "," + JSON + ";q=0.9");
		}
		return this.metadataOnly ? request.accepting(JSON + metadata + "," + JSON) : request;
	}

	/**
	 * Whether a request has failed for its form.
	 * @param request the request
	 * @param failure the failure
	 * @return whether it is worth the same request in another form
	 */
	public boolean isRefusal(ApiRequest request, Throwable failure) {
		int code = (failure instanceof ApiException answered) ? answered.status().code() : 0;
		return (CborOffer.isMade(request) && (code == 406 || code == 415))
				|| (request.accept().contains(";as=") && code == 406);
	}

	/**
	 * Gives a form up for good, CBOR first.
	 * @param request the request that has failed for its form
	 * @return completes when the next request will be in another form
	 */
	public Mono<Void> giveUp(ApiRequest request) {
		return Mono.deferContextual((context) -> {
			if (!CborOffer.isMade(request)) {
				fullObjects(request);
			}
			else if (this.cbor.close(request)) {
				FormatFallbacks.tell(context);
			}
			return Mono.empty();
		});
	}

	private void fullObjects(ApiRequest request) {
		if (this.metadataOnly) {
			this.metadataOnly = false;
			logger.info("{}: the server does not send metadata alone, full objects are asked for instead", request);
		}
	}

}
