/**
 * Makes objects from JSON text. In: JSON of one object. Out: an object of the declared
 * type. Most records are made directly. All other types are made by Jackson, which gets
 * only the properties that a type declares. Also writes objects for snapshots and topics
 * in a form that can be read again; the writers are derived from the deserializers of a
 * type. Called by the {@code decode} and {@code cbor} packages, and by code that stores
 * objects. Thread: any. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.bind;

import org.jspecify.annotations.NullMarked;
