/**
 * Lists and watches over HTTP: where the API server is, how to ask it, and how its bytes
 * become objects.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
