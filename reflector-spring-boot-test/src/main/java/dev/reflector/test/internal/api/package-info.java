/**
 * The words of the protocol: paths, parameters, served types, failures and JSON. Text of
 * a request comes in, values or an {@code ApiFailure} go out. Needs no other room and no
 * network, and is called by all of them on any thread. Internal: public only for other
 * packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.api;

import org.jspecify.annotations.NullMarked;
