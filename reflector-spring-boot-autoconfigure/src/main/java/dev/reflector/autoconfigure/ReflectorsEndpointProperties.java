package dev.reflector.autoconfigure;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the reflectors endpoint.
 *
 * @param showValues When the reflectors endpoint shows what the server said and the keys
 * of objects.
 * @param roles Roles of which one authorizes a user to be shown what the server said and
 * the keys of objects; empty for every user that is authenticated.
 */
@ConfigurationProperties("management.endpoint.reflectors")
record ReflectorsEndpointProperties(@DefaultValue("always") Show showValues, @DefaultValue Set<String> roles) {

}
