/**
 * Service connections: {@code @ServiceConnection} on a K3s container points the
 * application at it.
 */
@NullMarked
package dev.reflector.test.testcontainers;

import org.jspecify.annotations.NullMarked;
