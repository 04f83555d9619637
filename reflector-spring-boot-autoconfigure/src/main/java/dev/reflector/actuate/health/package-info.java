/**
 * Turns the status of a reflector into health. Spring Boot calls it on the thread of the
 * request. It asks the server nothing.
 */
@NullMarked
package dev.reflector.actuate.health;

import org.jspecify.annotations.NullMarked;
