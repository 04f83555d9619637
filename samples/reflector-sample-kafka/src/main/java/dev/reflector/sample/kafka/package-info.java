/**
 * Starts a cluster, a broker, and the two applications of the sample. Each application is
 * a separate process. The cluster sends changes to the publisher over HTTP, and the
 * publisher sends them to mirrors over Kafka.
 */
@NullMarked
package dev.reflector.sample.kafka;

import org.jspecify.annotations.NullMarked;
