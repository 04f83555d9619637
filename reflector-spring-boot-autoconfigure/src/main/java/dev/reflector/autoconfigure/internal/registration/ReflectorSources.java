package dev.reflector.autoconfigure.internal.registration;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.connection.PermissionAdvice;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.TransformFunction;
import dev.reflector.client.ApiServerClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the source of a reflector: a {@link ListerWatcher} bean with the name of the
 * reflector or for its type, else the API server. Wraps the source in a filter for the
 * objects of this replica, in the sources of the {@code Instrumentation} beans, and in
 * each {@link TransformFunction} bean. For a reflector that is disabled or has no server,
 * returns a source whose requests fail, and notes the reason why the reflector is not
 * started.
 */
public final class ReflectorSources {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorSources.class);

	private final ApiServerConnection connection;

	private final PermissionAdvice advice;

	private final boolean unreadableTypesFail;

	private final MatchedBeans beans;

	private final InstrumentationChain instruments;

	private final Map<String, String> idle = new ConcurrentHashMap<>();

	/** Names of the reflectors whose source is the server. */
	private final Set<String> ofServer = ConcurrentHashMap.newKeySet();

	public ReflectorSources(ApiServerConnection connection, PermissionAdvice advice, boolean unreadableTypesFail,
			MatchedBeans beans, InstrumentationChain instruments) {
		this.connection = connection;
		this.advice = advice;
		this.unreadableTypesFail = unreadableTypesFail;
		this.beans = beans;
		this.instruments = instruments;
	}

	/**
	 * Returns the source of a reflector.
	 * @param definition definition of the reflector
	 * @param accessor reads metadata of objects
	 * @param part the part of the reflector's objects that this replica mirrors
	 */
	<T> ListerWatcher<T> source(ReflectorDefinition<T> definition, ResourceAccessor<T> accessor,
			ReplicaDelivery.Part part) {
		ListerWatcher<T> source = this.instruments.source(definition.name(), accessor,
				part.source(definition.name(), plain(definition, accessor), accessor));
		return this.beans.<TransformFunction<T>>provider(TransformFunction.class, definition.type())
			.orderedStream()
			.reduce(source, (inner, function) -> ListerWatcher.transformed(inner, function, accessor),
					(first, second) -> second);
	}

	private <T> ListerWatcher<T> plain(ReflectorDefinition<T> definition, ResourceAccessor<T> accessor) {
		if (!definition.settings().enabled()) {
			return idle(definition, "it is disabled by 'reflector.resources." + definition.name() + ".enabled'");
		}
		ListerWatcher<T> own = this.beans.source(definition);
		if (own != null) {
			return own;
		}
		return this.connection.client()
			.map((client) -> ofServer(client, definition, accessor))
			.orElseGet(() -> idle(definition, ApiServerConnection.NOT_CONFIGURED));
	}

	private <T> ListerWatcher<T> ofServer(ApiServerClient client, ReflectorDefinition<T> definition,
			ResourceAccessor<T> accessor) {
		requireReadable(client, definition);
		this.ofServer.add(definition.name());
		try {
			return client.listerWatcher(definition.type(), accessor, definition.resourceType(),
					definition.labelSelector(), definition.fieldSelector(), definition.settings().metadataOnly());
		}
		catch (IllegalArgumentException ex) {
			String key = "reflector.resources." + definition.name();
			throw new ReflectorConfigurationException(
					"The reflector '" + definition.name() + "' cannot be made: " + ex.getMessage(),
					"Correct the settings at '" + key + "' ("
							+ (Boolean.TRUE.equals(definition.settings().metadataOnly())
									? "'metadata-only' is for types that declare nothing but 'metadata'"
									: "API version and plural must fit into a URL")
							+ ").",
					ex);
		}
	}

	private void requireReadable(ApiServerClient client, ReflectorDefinition<?> definition) {
		String problem = client.bindingProblem(definition.type());
		if (problem == null) {
			return;
		}
		String subject = "objects of " + definition.type().getName() + " cannot be read: " + problem;
		if (this.unreadableTypesFail) {
			throw new ReflectorConfigurationException(
					"The reflector '" + definition.name() + "' cannot be made: " + subject,
					"Correct the type, or configure Jackson to read it. To start anyway, and skip each object "
							+ "that cannot be read, set 'reflector.binding.unreadable-type=warn'.");
		}
		logger.warn("Reflector '{}': {}. Affected objects are skipped", definition.name(), subject);
	}

	private <T> ListerWatcher<T> idle(ReflectorDefinition<T> definition, String reason) {
		this.idle.put(definition.name(), reason);
		return new IdleListerWatcher<>(reason);
	}

	/**
	 * Returns an observer that logs missing permissions. If the source of the reflector
	 * is not the server, the observer does nothing.
	 * @param definition definition of the reflector
	 * @param source source of the reflector
	 */
	ReflectorObserver observer(ReflectorDefinition<?> definition, ListerWatcher<?> source) {
		return isOfServer(definition) ? this.advice.observer(definition.name(), source::plural)
				: ReflectorObserver.NONE;
	}

	/** Whether the source of a reflector is the server. */
	boolean isOfServer(ReflectorDefinition<?> definition) {
		return this.ofServer.contains(definition.name());
	}

	/**
	 * Returns why a reflector will not be started.
	 * @param reflector name of the reflector
	 * @return the reason, or {@code null} if the reflector will be started
	 */
	@Nullable String idleReason(String reflector) {
		return this.idle.get(reflector);
	}

}
