package dev.reflector.client.internal.exchange;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.client.options.ObjectFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the server is still told that it may answer in CBOR with the objects of a
 * collection. Once it has refused that (W-61), it is not told again.
 */
public final class CborOffer {

	static final String MEDIA_TYPE = "application/cbor";

	private static final Logger logger = LoggerFactory.getLogger(CborOffer.class);

	private final AtomicBoolean open;

	public CborOffer(ObjectFormat format) {
		this.open = new AtomicBoolean(format == ObjectFormat.CBOR);
	}

	boolean isOpen() {
		return this.open.get();
	}

	static boolean isMade(ApiRequest request) {
		return request.accept().contains(MEDIA_TYPE);
	}

	/**
	 * The server has refused it.
	 * @param request the request
	 * @return whether that is news
	 */
	boolean close(ApiRequest request) {
		boolean news = this.open.compareAndSet(true, false);
		if (news) {
			logger.info("{}: the server does not take requests for CBOR, JSON is asked for from now on", request);
		}
		return news;
	}

}
