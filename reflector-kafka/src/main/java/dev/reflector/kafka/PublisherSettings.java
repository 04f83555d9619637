package dev.reflector.kafka;

import dev.reflector.cache.config.TimeSource;

/**
 * How a publisher works.
 *
 * @param maxInFlight how many records may be sent and not acknowledged
 * @param lossy whether a record that can never be accepted is passed over
 * @param time source of time
 */
record PublisherSettings(int maxInFlight, boolean lossy, TimeSource time) {

}
