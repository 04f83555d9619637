/**
 * The application that watches the cluster and publishes each change to a topic.
 */
@NullMarked
package dev.reflector.sample.kafka.publisher;

import org.jspecify.annotations.NullMarked;
