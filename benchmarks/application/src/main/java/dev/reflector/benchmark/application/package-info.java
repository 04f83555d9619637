/**
 * Runs another client inside a Spring Boot application, as its users do.
 */
@NullMarked
package dev.reflector.benchmark.application;

import org.jspecify.annotations.NullMarked;
