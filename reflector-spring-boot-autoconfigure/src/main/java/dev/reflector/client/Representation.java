package dev.reflector.client;

import dev.reflector.cache.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.MediaType;

/**
 * In which form objects are asked for (W-59): in full, or their metadata alone as far as
 * the server can do that. A server that cannot may answer with full objects, because that
 * form is acceptable too, or with 406, after which it is not asked again.
 */
final class Representation {

	private static final Logger logger = LoggerFactory.getLogger(Representation.class);

	private static final String METADATA = MediaType.APPLICATION_JSON_VALUE + ";as=%s;g=meta.k8s.io;v=v1,"
			+ MediaType.APPLICATION_JSON_VALUE;

	private volatile boolean metadataOnly;

	Representation(boolean metadataOnly) {
		this.metadataOnly = metadataOnly;
	}

	ApiRequest list(ApiRequest request) {
		return as(request, "PartialObjectMetadataList");
	}

	ApiRequest watch(ApiRequest request) {
		return as(request, "PartialObjectMetadata");
	}

	private ApiRequest as(ApiRequest request, String kind) {
		return this.metadataOnly ? request.accepting(METADATA.formatted(kind)) : request;
	}

	/**
	 * Notes that a request has failed.
	 * @param request the request
	 * @param failure the failure
	 * @return whether it is worth the same request in full form
	 */
	boolean refused(ApiRequest request, Throwable failure) {
		boolean refused = request.accept().contains(";as=") && failure instanceof ApiException answered
				&& answered.status().code() == 406;
		if (refused && this.metadataOnly) {
			this.metadataOnly = false;
			logger.info("{}: the server does not send metadata alone, full objects are asked for instead", request);
		}
		return refused;
	}

}
