/**
 * A mirror of a folder with the engine alone: no Spring, no HTTP, no Kubernetes. The
 * files of the folder come in, lines about their changes go out.
 */
@NullMarked
package dev.reflector.sample.core;

import org.jspecify.annotations.NullMarked;
