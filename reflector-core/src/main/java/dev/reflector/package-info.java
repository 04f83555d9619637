/**
 * The types for users: what to mirror ({@link dev.reflector.ReflectedResource}), how to
 * read it ({@link dev.reflector.Lister}) and how to observe and control a mirror
 * ({@link dev.reflector.Reflector}). Applications read and call these types from any
 * thread; the engine implements the interfaces.
 */
@NullMarked
package dev.reflector;

import org.jspecify.annotations.NullMarked;
