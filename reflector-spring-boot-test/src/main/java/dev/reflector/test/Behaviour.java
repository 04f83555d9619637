package dev.reflector.test;

import org.reactivestreams.Publisher;

/**
 * What a fault does in place of the proper answer.
 */
interface Behaviour {

	Publisher<Void> answer(Exchange exchange, ProperAnswer proper);

}
