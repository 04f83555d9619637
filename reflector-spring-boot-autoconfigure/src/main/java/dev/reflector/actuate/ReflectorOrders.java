package dev.reflector.actuate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.reflector.ConsistencyReport;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.actuate.ReflectorsEndpoint.ConsistencyDescriptor;
import dev.reflector.actuate.ReflectorsEndpoint.ScopeDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * What a reflector can be asked to do, by name.
 */
final class ReflectorOrders {

	private static final Duration VERIFY_TIMEOUT = Duration.ofSeconds(60);

	private ReflectorOrders() {
	}

	/**
	 * The order of a name.
	 * @param action the name
	 * @return gives the order to a reflector
	 * @throws InvalidEndpointRequestException when there is none of that name
	 */
	static Function<Reflector<?>, Outcome> named(String action) {
		return switch (action) {
			case "relist" -> command(Reflector::relist);
			case "resync" -> command(Reflector::resync);
			case "pause" -> command(Reflector::pause);
			case "resume" -> command(Reflector::resume);
			case "verify" -> (reflector) -> {
				ConsistencyDescriptor comparison = verify(reflector);
				return new Outcome(comparison.result().name(), comparison);
			};
			default -> {
				String reason = "'action' must be one of relist, resync, pause, resume, verify";
				throw new InvalidEndpointRequestException(reason, reason);
			}
		};
	}

	/** One that does not run has nobody who could take it. */
	private static Function<Reflector<?>, Outcome> command(Consumer<Reflector<?>> command) {
		return (reflector) -> {
			if (reflector.state() == ReflectorState.STOPPED) {
				return Outcome.IGNORED;
			}
			command.accept(reflector);
			return new Outcome(OrderAudit.ACCEPTED, null);
		};
	}

	private static ConsistencyDescriptor verify(Reflector<?> reflector) {
		String problem;
		try {
			return ConsistencyDescriptor
				.of(reflector.verify().toCompletableFuture().get(VERIFY_TIMEOUT.toSeconds(), TimeUnit.SECONDS));
		}
		catch (TimeoutException ex) {
			problem = "no result within " + VERIFY_TIMEOUT.toSeconds() + " s; it goes on, the log will tell";
		}
		catch (UnsupportedOperationException ex) {
			problem = "this kind of reflector cannot do it";
		}
		catch (ExecutionException ex) {
			problem = "it failed with " + ex.getCause();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			problem = "the request was interrupted";
		}
		return new ConsistencyDescriptor(reflector.name(), ConsistencyReport.Result.NOT_COMPARABLE, null,
				List.of(ScopeDescriptor.of(ConsistencyReport.Scope.notComparable(null, "", problem))));
	}

	/**
	 * What came of an order.
	 *
	 * @param name as it is audited
	 * @param comparison what was found, when the order was to compare
	 */
	record Outcome(String name, @Nullable ConsistencyDescriptor comparison) {

		static final Outcome IGNORED = new Outcome(OrderAudit.IGNORED, null);

	}

}
