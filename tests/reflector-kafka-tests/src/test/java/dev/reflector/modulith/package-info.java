/**
 * Spring Modulith's externalisation of events that listeners of a reflector publish.
 */
@NullMarked
package dev.reflector.modulith;

import org.jspecify.annotations.NullMarked;
