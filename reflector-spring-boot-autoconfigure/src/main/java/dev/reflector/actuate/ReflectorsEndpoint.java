package dev.reflector.actuate;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.reflector.ConsistencyReport;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.context.ApplicationEventPublisher;

/**
 * {@link Endpoint @Endpoint} that tells where the reflectors stand, and lets them relist,
 * resync, pause, resume and compare their mirrors with the server. Never shows anything
 * of the mirrored objects but, where a comparison has found a difference, their keys.
 * Read-only unless {@code management.endpoint.reflectors.access} says otherwise; each
 * order that was given is an audit event.
 *
 * @since 0.1.0
 */
// the result of an order is of two types, of which its signature tells none
@RegisterReflectionForBinding(ReflectorsEndpoint.ConsistencyDescriptor.class)
@Endpoint(id = "reflectors", defaultAccess = Access.READ_ONLY)
public final class ReflectorsEndpoint {

	private final Supplier<? extends Stream<? extends Reflector<?>>> reflectors;

	private final ValueSanitizer sanitizer;

	private final Show showValues;

	private final OrderAudit audit;

	/**
	 * Creates the endpoint. It shows everything, and nobody hears of orders.
	 * @param reflectors gives the reflectors of the application
	 */
	public ReflectorsEndpoint(Supplier<? extends Stream<? extends Reflector<?>>> reflectors) {
		this(reflectors, new Sanitizer(), Show.ALWAYS, (event) -> {
		});
	}

	/**
	 * Creates the endpoint.
	 * @param reflectors gives the reflectors of the application
	 * @param sanitizer hides texts that came from the server, and keys of objects
	 * @param showValues who sees those that it does not hide
	 * @param publisher hears of orders, as audit events
	 */
	public ReflectorsEndpoint(Supplier<? extends Stream<? extends Reflector<?>>> reflectors, Sanitizer sanitizer,
			Show showValues, ApplicationEventPublisher publisher) {
		this.reflectors = reflectors;
		this.sanitizer = new ValueSanitizer(sanitizer);
		this.showValues = showValues;
		this.audit = new OrderAudit(publisher);
	}

	/**
	 * All reflectors.
	 * @return the report
	 */
	@ReadOperation
	public ReflectorsDescriptor reflectors() {
		return reflectors(shownToAnyone());
	}

	ReflectorsDescriptor reflectors(boolean showValues) {
		Map<String, ReflectorDescriptor> descriptors = new LinkedHashMap<>();
		this.reflectors.get()
			.sorted(Comparator.comparing(Reflector::name))
			.forEach((reflector) -> descriptors.put(reflector.name(), describe(reflector, showValues)));
		return new ReflectorsDescriptor(descriptors);
	}

	/**
	 * One reflector.
	 * @param name its name
	 * @return the report, or {@code null} when there is no reflector of that name
	 */
	@ReadOperation
	public @Nullable ReflectorDescriptor reflector(@Selector String name) {
		return reflector(name, shownToAnyone());
	}

	@Nullable ReflectorDescriptor reflector(String name, boolean showValues) {
		Reflector<?> reflector = find(name);
		return (reflector != null) ? describe(reflector, showValues) : null;
	}

	private ReflectorDescriptor describe(Reflector<?> reflector, boolean showValues) {
		return this.sanitizer.sanitize(ReflectorDescriptor.of(reflector), showValues);
	}

	/**
	 * Asks a reflector to do something. Returns at once, but for {@code verify}, which
	 * waits up to a minute for its result.
	 * @param name its name
	 * @param action {@code relist}, {@code resync}, {@code pause}, {@code resume} or
	 * {@code verify}
	 * @return where the reflector stands after the request, or what came of
	 * {@code verify}; {@code null} when there is no reflector of that name
	 * @throws InvalidEndpointRequestException when the action is none of these
	 * @throws IllegalStateException when the reflector is stopped and so does nothing
	 */
	@WriteOperation
	public @Nullable OperationResponseBody act(@Selector String name, String action) {
		Answer answer = act(SecurityContext.NONE, name, action, shownToAnyone());
		if (answer != null && answer.ignored()) {
			throw new IllegalStateException(
					"The reflector '" + name + "' is stopped, so nothing came of '" + action + "'");
		}
		return (answer != null) ? answer.body() : null;
	}

	@Nullable Answer act(SecurityContext who, String name, String action, boolean showValues) {
		Reflector<?> reflector = find(name);
		if (reflector == null) {
			return null;
		}
		Function<Reflector<?>, ReflectorOrders.Outcome> order = ReflectorOrders.named(action);
		String audited = OrderAudit.FAILED;
		try {
			ReflectorOrders.Outcome outcome = order.apply(reflector);
			audited = outcome.name();
			ConsistencyDescriptor comparison = outcome.comparison();
			return new Answer((comparison != null) ? this.sanitizer.sanitize(comparison, showValues)
					: describe(reflector, showValues), outcome == ReflectorOrders.Outcome.IGNORED);
		}
		finally {
			this.audit.ordered(who, name, action, audited);
		}
	}

	private boolean shownToAnyone() {
		return this.showValues.isShown(SecurityContext.NONE, Set.of());
	}

	private @Nullable Reflector<?> find(String name) {
		return this.reflectors.get()
			.filter((reflector) -> reflector.name().equals(name))
			.findFirst()
			.<Reflector<?>>map((reflector) -> reflector)
			.orElse(null);
	}

	/**
	 * What is answered to an order.
	 *
	 * @param body where the reflector stands, or what was found
	 * @param ignored whether nothing came of the order
	 */
	record Answer(OperationResponseBody body, boolean ignored) {

	}

	/**
	 * The reflectors of the application.
	 *
	 * @param reflectors descriptions by name
	 */
	public record ReflectorsDescriptor(Map<String, ReflectorDescriptor> reflectors) implements OperationResponseBody {

	}

	/**
	 * Where a reflector stands. All keys are always there.
	 *
	 * @param name its name
	 * @param resource what it mirrors
	 * @param state what it is doing
	 * @param awaitedType the type that the server does not serve yet
	 * @param lastSyncResourceVersion up to which version it has followed the collection
	 * @param synced whether the mirror has been filled
	 * @param connected whether the server has answered and nothing has failed since
	 * @param size number of objects in the mirror
	 * @param skipped number of objects of which the mirror has no present version
	 * @param queueDepth number of changes received but not yet handed to every listener
	 * @param counts numbers since the start
	 * @param lastListAt when the last complete list was received
	 * @param lastEventAt when the last event of a watch was received
	 * @param lastProgressAt when the server has last said how far the collection is
	 * @param failingSince when the present run of failures began
	 * @param nextAttemptAt when the next attempt after a failure is due
	 * @param lastError the most recent error
	 * @param deliveryStopped why a listener is told nothing more until the reflector is
	 * resumed or started again
	 * @param busyListener the listener that has not returned for the longest time, beyond
	 * what is slow
	 * @param scopes the parts, one for each namespace that is mirrored on its own
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record ReflectorDescriptor(String name, ResourceDescriptor resource, ReflectorState state,
			@Nullable String awaitedType, String lastSyncResourceVersion, boolean synced, boolean connected, int size,
			int skipped, int queueDepth, CountsDescriptor counts, @Nullable Instant lastListAt,
			@Nullable Instant lastEventAt, @Nullable Instant lastProgressAt, @Nullable Instant failingSince,
			@Nullable Instant nextAttemptAt, @Nullable ErrorDescriptor lastError,
			@Nullable ErrorDescriptor deliveryStopped, ReflectorStatus.@Nullable BusyListener busyListener,
			List<PartDescriptor> scopes) implements OperationResponseBody {

		private static ReflectorDescriptor of(Reflector<?> reflector) {
			ReflectorStatus status = reflector.status();
			ReflectorStatus.Contact contact = status.contact();
			return new ReflectorDescriptor(reflector.name(), ResourceDescriptor.of(reflector), status.state(),
					(status.state() == ReflectorState.AWAITING_TYPE) ? reflector.resourceType().toString() : null,
					status.lastSyncResourceVersion(), status.synced(), contact.connected(), status.size(),
					status.skipped(), status.queueDepth(), CountsDescriptor.of(status.counts()), status.lastListAt(),
					status.lastEventAt(), contact.lastProgressAt(), status.failingSince(), contact.nextAttemptAt(),
					ErrorDescriptor.of(status.lastError()), ErrorDescriptor.of(status.deliveryStopped()),
					status.busyListener(), contact.scopes().stream().map(PartDescriptor::of).toList());
		}

		ReflectorDescriptor with(@Nullable ErrorDescriptor lastError, @Nullable ErrorDescriptor deliveryStopped,
				ReflectorStatus.@Nullable BusyListener busyListener, List<PartDescriptor> scopes) {
			return new ReflectorDescriptor(this.name, this.resource, this.state, this.awaitedType,
					this.lastSyncResourceVersion, this.synced, this.connected, this.size, this.skipped, this.queueDepth,
					this.counts, this.lastListAt, this.lastEventAt, this.lastProgressAt, this.failingSince,
					this.nextAttemptAt, lastError, deliveryStopped, busyListener, scopes);
		}

	}

	/**
	 * How it stands with a part that is listed and watched on its own.
	 *
	 * @param namespace the namespace, {@code null} for all
	 * @param state what is done about it
	 * @param connected whether the server has answered and nothing has failed since
	 * @param lastSyncResourceVersion up to which version it was followed
	 * @param lastProgressAt when the server has last said how far the collection is
	 * @param failingSince when the present run of failures began
	 * @param nextAttemptAt when the next attempt after a failure is due
	 * @param lastError the most recent error
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record PartDescriptor(@Nullable String namespace, ReflectorState state, boolean connected,
			String lastSyncResourceVersion, @Nullable Instant lastProgressAt, @Nullable Instant failingSince,
			@Nullable Instant nextAttemptAt, @Nullable ErrorDescriptor lastError) {

		private static PartDescriptor of(ReflectorStatus.Scope scope) {
			return new PartDescriptor(scope.namespace(), scope.state(), scope.connected(),
					scope.lastSyncResourceVersion(), scope.lastProgressAt(), scope.failingSince(),
					scope.nextAttemptAt(), ErrorDescriptor.of(scope.lastError()));
		}

		PartDescriptor with(@Nullable ErrorDescriptor lastError) {
			return new PartDescriptor(this.namespace, this.state, this.connected, this.lastSyncResourceVersion,
					this.lastProgressAt, this.failingSince, this.nextAttemptAt, lastError);
		}

	}

	/**
	 * What a reflector mirrors.
	 *
	 * @param group API group, empty for the core group
	 * @param version version of the group
	 * @param kind kind of the objects
	 * @param plural plural resource name, once it is known
	 * @param namespaces namespaces, empty for all
	 * @param labelSelector label selector, empty for all objects
	 * @param fieldSelector field selector, empty for all objects
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record ResourceDescriptor(String group, String version, String kind, @Nullable String plural,
			List<String> namespaces, String labelSelector, String fieldSelector) {

		private static ResourceDescriptor of(Reflector<?> reflector) {
			ResourceType type = reflector.resourceType();
			return new ResourceDescriptor(type.group(), type.version(), type.kind(), type.plural(),
					reflector.namespaces(), reflector.labelSelector(), reflector.fieldSelector());
		}

	}

	/**
	 * Numbers since the start of a reflector.
	 *
	 * @param lists complete lists received
	 * @param watches watches opened
	 * @param relists complete lists after the first
	 * @param added objects that appeared in the mirror
	 * @param updated objects that changed in the mirror
	 * @param deleted objects that left the mirror
	 * @param bookmarks bookmarks received
	 * @param errors everything that went wrong
	 */
	public record CountsDescriptor(long lists, long watches, long relists, long added, long updated, long deleted,
			long bookmarks, long errors) {

		private static CountsDescriptor of(ReflectorStatus.Counts counts) {
			return new CountsDescriptor(counts.lists(), counts.watches(), counts.relists(), counts.added(),
					counts.updated(), counts.deleted(), counts.bookmarks(), counts.errors());
		}

	}

	/**
	 * What came of comparing a mirror with the server.
	 *
	 * @param name name of the reflector
	 * @param result what holds for the whole mirror
	 * @param at when the comparison was finished, {@code null} when it was not
	 * @param scopes the parts, one for each namespace that is mirrored on its own
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	record ConsistencyDescriptor(String name, ConsistencyReport.Result result, @Nullable Instant at,
			List<ScopeDescriptor> scopes) implements OperationResponseBody {

		static ConsistencyDescriptor of(ConsistencyReport report) {
			return new ConsistencyDescriptor(report.reflector(), report.result(), report.at(),
					report.scopes().stream().map(ScopeDescriptor::of).toList());
		}

		ConsistencyDescriptor with(List<ScopeDescriptor> scopes) {
			return new ConsistencyDescriptor(this.name, this.result, this.at, scopes);
		}

	}

	/**
	 * The part of a namespace.
	 *
	 * @param namespace the namespace, {@code null} for all
	 * @param result what came of it
	 * @param resourceVersion the version at which both sides were compared
	 * @param compared number of objects at the server
	 * @param missing number of objects that only the server has
	 * @param surplus number of objects that only the mirror has
	 * @param different number of objects in different versions
	 * @param skipped number of objects that cannot be read into the declared type
	 * @param differences the first differences and skipped objects
	 * @param message why there is no result
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	record ScopeDescriptor(@Nullable String namespace, ConsistencyReport.Result result, String resourceVersion,
			long compared, long missing, long surplus, long different, long skipped,
			List<DifferenceDescriptor> differences, String message) {

		static ScopeDescriptor of(ConsistencyReport.Scope scope) {
			return new ScopeDescriptor(scope.namespace(), scope.result(), scope.resourceVersion(), scope.compared(),
					scope.missing(), scope.surplus(), scope.different(), scope.skipped(),
					scope.differences().stream().map(DifferenceDescriptor::of).toList(), scope.message());
		}

		ScopeDescriptor with(List<DifferenceDescriptor> differences, String message) {
			return new ScopeDescriptor(this.namespace, this.result, this.resourceVersion, this.compared, this.missing,
					this.surplus, this.different, this.skipped, differences, message);
		}

	}

	/**
	 * An object that is not the same on both sides.
	 *
	 * @param kind in which way
	 * @param key its key
	 * @param mirrorVersion its version in the mirror
	 * @param serverVersion its version at the server
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	record DifferenceDescriptor(ConsistencyReport.Difference.Kind kind, String key, @Nullable String mirrorVersion,
			@Nullable String serverVersion) {

		private static DifferenceDescriptor of(ConsistencyReport.Difference difference) {
			return new DifferenceDescriptor(difference.kind(), difference.key().toString(), difference.mirrorVersion(),
					difference.serverVersion());
		}

	}

	/**
	 * An error.
	 *
	 * @param at when it happened
	 * @param status HTTP status or code, 0 when the server did not answer
	 * @param reason machine-readable reason
	 * @param message what happened, for a person
	 */
	public record ErrorDescriptor(Instant at, int status, String reason, String message) {

		private static @Nullable ErrorDescriptor of(ReflectorStatus.@Nullable LastError error) {
			return (error != null) ? new ErrorDescriptor(error.at(), error.status(), error.reason(), error.message())
					: null;
		}

	}

}
