/**
 * A mirror of a folder with only the engine: no Spring, no HTTP, no Kubernetes. It reads
 * the files of the folder and prints their changes.
 */
@NullMarked
package dev.reflector.sample.core;

import org.jspecify.annotations.NullMarked;
