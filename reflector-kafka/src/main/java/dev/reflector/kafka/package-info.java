/**
 * Writes changes of mirrors to Kafka topics, and fills mirrors from such topics.
 * {@link dev.reflector.kafka.KafkaPublisher} is a handler of a reflector. The engine
 * calls the publisher on the handler's thread, with one change after the other, and the
 * publisher sends records. Acknowledgements come on the thread of Kafka's producer.
 * {@link dev.reflector.kafka.KafkaListerWatcher} is a source of a reflector: each list
 * and each watch reads the topic on its own thread.
 */
@Experimental
@NullMarked
package dev.reflector.kafka;

import dev.reflector.Experimental;
import org.jspecify.annotations.NullMarked;
