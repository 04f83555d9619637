package dev.reflector.autoconfigure;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the reflectors endpoint.
 *
 * @param showValues When the reflectors endpoint shows messages of the server and keys of
 * objects.
 * @param roles Roles that may see messages of the server and keys of objects in the
 * reflectors endpoint; empty for every authenticated user.
 */
@ConfigurationProperties("management.endpoint.reflectors")
record ReflectorsEndpointProperties(@DefaultValue("always") Show showValues, @DefaultValue Set<String> roles) {

}
