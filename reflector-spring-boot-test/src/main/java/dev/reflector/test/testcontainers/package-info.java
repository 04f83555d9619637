/**
 * Service connections: {@code @ServiceConnection} on a K3s container connects the
 * application to the server in that container. This package reads the URL of the server
 * and the credentials from the container. Spring Boot calls it while a context starts.
 * The auto-configuration requests the URL and the credentials when the first reflector
 * needs the server.
 */
@NullMarked
package dev.reflector.test.testcontainers;

import org.jspecify.annotations.NullMarked;
