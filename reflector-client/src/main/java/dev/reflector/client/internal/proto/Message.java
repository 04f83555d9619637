package dev.reflector.client.internal.proto;

import java.util.List;

/**
 * A message of the table.
 *
 * @param name its name
 * @param choice whether its JSON is that of its last present field, instead of an object
 * with its fields
 * @param fields its fields
 */
record Message(String name, boolean choice, List<Field> fields) {

}
