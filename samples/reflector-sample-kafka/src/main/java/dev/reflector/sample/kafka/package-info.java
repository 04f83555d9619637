/**
 * Starts a cluster, a broker, and the two applications of the sample, each of which is a
 * process of its own. The cluster tells the publisher of changes over HTTP, and the
 * publisher tells everybody else over Kafka.
 */
@NullMarked
package dev.reflector.sample.kafka;

import org.jspecify.annotations.NullMarked;
