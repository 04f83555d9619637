/**
 * Turns the status of a reflector into health. Spring Boot calls the indicators on the
 * thread of the request. They send no request to the API server.
 */
@NullMarked
package dev.reflector.actuate.health;

import org.jspecify.annotations.NullMarked;
