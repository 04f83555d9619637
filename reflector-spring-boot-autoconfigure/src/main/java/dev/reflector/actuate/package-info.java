/**
 * What operators see of the reflectors: endpoint, health and metrics.
 */
@NullMarked
package dev.reflector.actuate;

import org.jspecify.annotations.NullMarked;
