/**
 * The application that mirrors widgets from the topic. It knows nothing of the cluster.
 */
@NullMarked
package dev.reflector.sample.kafka.mirror;

import org.jspecify.annotations.NullMarked;
