/**
 * Service connections: {@code @ServiceConnection} on a K3s container points the
 * application at it. A container comes in; the URL of its server and the credentials go
 * out. Spring Boot calls it while a context starts, and the auto-configuration asks for
 * the server when the first reflector needs it.
 */
@NullMarked
package dev.reflector.test.testcontainers;

import org.jspecify.annotations.NullMarked;
