/**
 * Starts a cluster, a broker, and the two applications of the sample, each of which is a
 * separate process. The cluster sends changes to the publisher over HTTP, and the
 * publisher sends them to all others over Kafka.
 */
@NullMarked
package dev.reflector.sample.kafka;

import org.jspecify.annotations.NullMarked;
