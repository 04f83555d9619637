package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.ServerExchange;
import org.reactivestreams.Publisher;

/**
 * Answers a request properly.
 */
public interface ProperAnswer {

	Publisher<Void> answer(ServerExchange exchange);

}
