package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.ServerExchange;
import org.reactivestreams.Publisher;

/**
 * Answers a request as the server does without a fault.
 */
public interface ProperAnswer {

	Publisher<Void> answer(ServerExchange exchange);

}
