package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.Exchange;
import org.reactivestreams.Publisher;

/**
 * What a fault does in place of the proper answer.
 */
public interface Behaviour {

	Publisher<Void> answer(Exchange exchange, ProperAnswer proper);

}
