/**
 * Makes objects from JSON text. The input is the JSON of one object, and the result is an
 * object of the declared type. Most records are made directly. All other types are made
 * by Jackson, which gets only the properties that a type declares. This package also
 * writes objects for snapshots and topics in a form that can be read again. The writers
 * are derived from the deserializers of a type. The {@code decode} and {@code cbor}
 * packages, and code that stores objects, call this package on any thread. Internal:
 * public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.bind;

import org.jspecify.annotations.NullMarked;
