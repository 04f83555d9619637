/**
 * Makes objects from JSON text: JSON of one object comes in, an object of the declared
 * type goes out. Most records are made directly, all other types by Jackson, which gets
 * only the properties that a type declares. Writes objects for snapshots and topics in a
 * form that can be read back, with writers that are derived from the deserializers of a
 * type. Called by the {@code decode} and {@code cbor} packages, and by code that stores
 * objects, on any thread. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.bind;

import org.jspecify.annotations.NullMarked;
