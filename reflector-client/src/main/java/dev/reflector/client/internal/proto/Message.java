package dev.reflector.client.internal.proto;

import java.util.List;

/**
 * A type of messages in protobuf.
 *
 * @param name its name
 * @param choice whether the JSON of the message is not an object with all fields, but
 * only the value of one field: of the fields that are present, the field with the largest
 * number
 * @param fields its fields
 */
record Message(String name, boolean choice, List<Field> fields) {

}
