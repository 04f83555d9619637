package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.ServerExchange;
import org.reactivestreams.Publisher;

/**
 * The answer that a fault gives in place of the proper answer.
 */
public interface Behaviour {

	Publisher<Void> answer(ServerExchange exchange, ProperAnswer proper);

}
