/**
 * Tests with brokers and API servers.
 */
@NullMarked
package dev.reflector.kafka;

import org.jspecify.annotations.NullMarked;
