/**
 * A mirror of widgets.
 */
@NullMarked
package dev.reflector.benchmark.reflector.widgets;

import org.jspecify.annotations.NullMarked;
