/**
 * The actuator endpoint {@code reflectors} and the reflectors' part of {@code info}. A
 * request comes in, the status of the reflectors or the result of an operation goes out.
 * Runs on the thread of the request; only {@code verify} waits, for up to a minute.
 */
@NullMarked
package dev.reflector.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
