package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.ServerExchange;
import org.reactivestreams.Publisher;

/**
 * Answers as it should be.
 */
public interface ProperAnswer {

	Publisher<Void> answer(ServerExchange exchange);

}
