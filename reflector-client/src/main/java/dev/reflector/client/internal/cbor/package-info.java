/**
 * The same for CBOR: cuts, and translates what a type declares into JSON text. Runs on
 * the thread that decodes. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.cbor;

import org.jspecify.annotations.NullMarked;
