/**
 * The actuator endpoint {@code reflectors}, and the entry {@code reflectors} of the
 * endpoint {@code info}. They receive a request and return the status of the reflectors
 * or the result of an operation, on the thread of the request. Only the operation
 * {@code verify} waits, for up to 25 seconds.
 */
@NullMarked
package dev.reflector.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
