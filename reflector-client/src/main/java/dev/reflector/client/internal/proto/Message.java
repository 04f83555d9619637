package dev.reflector.client.internal.proto;

import java.util.List;

/**
 * A type of messages in protobuf.
 *
 * @param name its name
 * @param choice whether the JSON of the message is the value of a single field instead of
 * an object with all fields; of all fields that are present, it is the field with the
 * largest number
 * @param fields its fields
 */
record Message(String name, boolean choice, List<Field> fields) {

}
