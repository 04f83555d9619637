package dev.reflector.autoconfigure.internal.registration;

import java.lang.reflect.Field;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.NewLeaderEvent;
import dev.reflector.event.ReflectorRelistEvent;
import dev.reflector.event.ReflectorStateChangedEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.event.ShardsUnownedEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.event.StoppedLeadingEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BigIntegerNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Registers the members that a native image calls by reflection: members of mirrored
 * types and of events.
 */
final class ReflectorHints {

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	private final ReflectionHints hints;

	ReflectorHints(ReflectionHints hints) {
		this.hints = hints;
	}

	/**
	 * Registers a mirrored type: Jackson binds it, accessors read its metadata, and
	 * conditions of listeners may call any of its methods.
	 * @param type the mirrored type
	 */
	void registerMirrored(Class<?> type) {
		if (type == GenericResource.class) {
			// for a JSON tree, Jackson needs no hints, but conditions of listeners call
			// methods of the nodes
			this.binding.registerReflectionHints(this.hints, ObjectMeta.class);
			this.hints.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS,
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
			registerPublicMethods(JsonNode.class, ObjectNode.class, ArrayNode.class, StringNode.class,
					BooleanNode.class, IntNode.class, LongNode.class, BigIntegerNode.class, DoubleNode.class,
					DecimalNode.class, NullNode.class, MissingNode.class);
			return;
		}
		this.binding.registerReflectionHints(this.hints, type);
		registerMembers(type);
		Stream.of("metadata", "getMetadata")
			.map((name) -> ReflectionUtils.findMethod(type, name))
			.filter((method) -> method != null)
			.map((method) -> ResolvableType.forMethodReturnType(method, type).toClass())
			.forEach(this::registerMembers);
		Field metadata = ReflectionUtils.findField(type, "metadata");
		if (metadata != null) {
			registerMembers(ResolvableType.forField(metadata, type).toClass());
		}
	}

	/**
	 * Registers the members of a class and of each superclass, because a hint covers only
	 * the members that one class declares. This includes {@link Record}, because Jackson
	 * looks for its members, too.
	 */
	private void registerMembers(Class<?> type) {
		for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
			this.hints.registerType(current, MemberCategory.INVOKE_DECLARED_METHODS,
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS);
		}
	}

	/**
	 * Registers the event classes and the types of their values, because conditions of
	 * listeners call methods of both. Also registers the methods of Spring's multicaster,
	 * because a check calls one of them to find out whether an executor calls the
	 * listeners.
	 */
	void registerEvents() {
		this.hints.registerType(SimpleApplicationEventMulticaster.class, MemberCategory.INVOKE_DECLARED_METHODS);
		registerPublicMethods(ResourceEvent.class, ResourceAddedEvent.class, ResourceUpdatedEvent.class,
				ResourceDeletedEvent.class, ResourceDeadLetterEvent.class, ReflectorSyncedEvent.class,
				ReflectorStateChangedEvent.class, ReflectorRelistEvent.class, ResourceKey.class, ReflectorState.class,
				RelistReason.class, Change.Cause.class, Reflector.class, SharedInformer.class, Ownership.class,
				StartedLeadingEvent.class, StoppedLeadingEvent.class, NewLeaderEvent.class, ShardAcquiredEvent.class,
				ShardReleasedEvent.class, ShardsUnownedEvent.class);
	}

	private void registerPublicMethods(Class<?>... types) {
		for (Class<?> type : types) {
			this.hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
	}

}
