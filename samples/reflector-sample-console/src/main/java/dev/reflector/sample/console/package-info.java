/**
 * A console that shows a live mirror at work.
 */
@NullMarked
package dev.reflector.sample.console;

import org.jspecify.annotations.NullMarked;
