package dev.reflector.kafka;

import dev.reflector.cache.config.TimeSource;

/**
 * Settings of a publisher.
 *
 * @param maxInFlight how many records may be in flight without an acknowledgement
 * @param lossy whether a record that can never be accepted is skipped
 * @param time source of time
 */
record PublisherSettings(int maxInFlight, boolean lossy, TimeSource time) {

}
