package dev.reflector.client.internal.bind;

import java.lang.reflect.Modifier;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;

/**
 * Treats every final class, such as a record, as if it had the annotation
 * {@code @JsonIgnoreProperties(ignoreUnknown = true)}. Without this annotation, Jackson
 * copies all unknown properties, and drops them after the constructor call. Other classes
 * are not affected, because their factory methods may return a subclass that declares
 * more. Annotations of the class have precedence.
 */
final class UnknownPropertiesIgnored extends AnnotationIntrospector {

	private static final JsonIgnoreProperties.Value IGNORED = JsonIgnoreProperties.Value.forIgnoreUnknown(true);

	@Override
	public Version version() {
		return Version.unknownVersion();
	}

	@Override
	public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
		boolean complete = annotated instanceof AnnotatedClass
				&& Modifier.isFinal(annotated.getRawType().getModifiers());
		return complete ? IGNORED : JsonIgnoreProperties.Value.empty();
	}

}
