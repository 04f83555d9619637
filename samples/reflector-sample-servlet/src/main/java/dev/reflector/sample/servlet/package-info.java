/**
 * A mirror behind a servlet container.
 */
@NullMarked
package dev.reflector.sample.servlet;

import org.jspecify.annotations.NullMarked;
