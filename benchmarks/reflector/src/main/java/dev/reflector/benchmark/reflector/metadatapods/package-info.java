/**
 * An application that mirrors pods with whole metadata.
 */
@NullMarked
package dev.reflector.benchmark.reflector.metadatapods;

import org.jspecify.annotations.NullMarked;
