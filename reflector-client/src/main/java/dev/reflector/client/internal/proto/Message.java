package dev.reflector.client.internal.proto;

import java.util.List;

/**
 * A type of messages in protobuf.
 *
 * @param name its name
 * @param choice whether only one value is written in JSON, instead of an object with all
 * fields: the value of its last field, by number, that is present
 * @param fields its fields
 */
record Message(String name, boolean choice, List<Field> fields) {

}
