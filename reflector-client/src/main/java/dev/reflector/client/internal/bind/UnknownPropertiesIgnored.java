package dev.reflector.client.internal.bind;

import java.lang.reflect.Modifier;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import tools.jackson.core.Version;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;

/**
 * Says of every final class, and so of every record, what its author could have said with
 * {@code @JsonIgnoreProperties(ignoreUnknown = true)}: what it does not declare is passed
 * over at once. Without, Jackson keeps a copy of all that is unknown until the
 * constructor has been called, only to throw it away then. Of other classes nothing is
 * said: a factory method may answer with a subclass that declares more. Annotations of
 * the class count more.
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
