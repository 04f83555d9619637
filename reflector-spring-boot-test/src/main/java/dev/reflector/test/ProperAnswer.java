package dev.reflector.test;

import org.reactivestreams.Publisher;

/**
 * Answers as it should be.
 */
interface ProperAnswer {

	Publisher<Void> answer(Exchange exchange);

}
