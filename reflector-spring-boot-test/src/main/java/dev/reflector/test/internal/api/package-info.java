/**
 * The elements of the protocol: paths, parameters, served types, failures and JSON.
 * Converts the text of requests to values, or fails with an {@code ApiFailure}. Needs no
 * other package and no network. All other packages call it on any thread. Internal:
 * public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.api;

import org.jspecify.annotations.NullMarked;
