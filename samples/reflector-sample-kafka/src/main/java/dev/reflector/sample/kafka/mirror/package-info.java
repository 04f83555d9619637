/**
 * The application that mirrors widgets from the topic. It has no connection to the
 * cluster.
 */
@NullMarked
package dev.reflector.sample.kafka.mirror;

import org.jspecify.annotations.NullMarked;
