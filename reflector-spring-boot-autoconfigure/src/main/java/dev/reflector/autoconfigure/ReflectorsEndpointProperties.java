package dev.reflector.autoconfigure;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the reflectors endpoint.
 *
 * @param showValues When to show what the server said and the keys of objects.
 * @param roles Roles that make a user authorized to be shown these; empty for every user
 * that is authenticated.
 */
@ConfigurationProperties("management.endpoint.reflectors")
record ReflectorsEndpointProperties(@DefaultValue("always") Show showValues, @DefaultValue Set<String> roles) {

}
