/**
 * The way to the API server over HTTP: requests, framing and decoding of lists and
 * watches, failures, discovery of the plural, and where the server is and who we are to
 * it.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
