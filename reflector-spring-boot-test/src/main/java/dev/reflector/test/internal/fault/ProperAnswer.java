package dev.reflector.test.internal.fault;

import dev.reflector.test.internal.exchange.Exchange;
import org.reactivestreams.Publisher;

/**
 * Answers as it should be.
 */
public interface ProperAnswer {

	Publisher<Void> answer(Exchange exchange);

}
