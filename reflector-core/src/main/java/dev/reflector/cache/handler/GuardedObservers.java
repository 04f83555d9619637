package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches the exceptions of observers, so that they affect neither the reflector nor
 * other observers. The first failure of each observer is logged. The methods that are
 * called for each event allocate nothing.
 */
final class GuardedObservers implements ReflectorObserver {

	private static final Logger logger = LoggerFactory.getLogger(GuardedObservers.class);

	/** An array, because the iterator of a list would be allocated for each event. */
	private final Guarded[] observers;

	private GuardedObservers(Guarded[] observers) {
		this.observers = observers;
	}

	static ReflectorObserver of(List<? extends ReflectorObserver> observers) {
		List<? extends ReflectorObserver> active = observers.stream().filter((observer) -> observer != NONE).toList();
		if (active.isEmpty()) {
			return NONE;
		}
		boolean guarded = active.size() == 1 && active.get(0) instanceof GuardedObservers;
		return guarded ? active.get(0)
				: new GuardedObservers(active.stream().map(Guarded::new).toArray(Guarded[]::new));
	}

	@Override
	public RequestObserver requested(ReflectorRequest request) {
		List<GuardedRequest> requests = new ArrayList<>();
		for (Guarded observer : this.observers) {
			RequestObserver requested = observer.requested(request);
			if (requested != RequestObserver.NONE) {
				requests.add(new GuardedRequest(requested, observer));
			}
		}
		return requests.isEmpty() ? RequestObserver.NONE : new GuardedRequests(requests.toArray(GuardedRequest[]::new));
	}

	@Override
	public void listed(Duration duration, int items, int pages) {
		tell((observer) -> observer.listed(duration, items, pages));
	}

	@Override
	public void relisting(RelistReason reason) {
		tell((observer) -> observer.relisting(reason));
	}

	@Override
	public void handedOver() {
		tell(ReflectorObserver::handedOver);
	}

	@Override
	public void backingOff(Duration delay, RequestFailure failure) {
		tell((observer) -> observer.backingOff(delay, failure));
	}

	@Override
	public void skipped(SkippedObject object) {
		tell((observer) -> observer.skipped(object));
	}

	@Override
	public void verified(ConsistencyReport report) {
		tell((observer) -> observer.verified(report));
	}

	@Override
	public <T> void delivering(String handler, Change<T> change, ResourceAccessor<T> accessor) {
		for (Guarded guarded : this.observers) {
			try {
				guarded.observer.delivering(handler, change, accessor);
			}
			catch (Throwable ex) {
				guarded.failed(ex);
			}
		}
	}

	@Override
	public void retried(String handler, Duration duration) {
		tell((observer) -> observer.retried(handler, duration));
	}

	@Override
	public void handled(String handler, Duration duration, boolean failed) {
		for (Guarded guarded : this.observers) {
			try {
				guarded.observer.handled(handler, duration, failed);
			}
			catch (Throwable ex) {
				guarded.failed(ex);
			}
		}
	}

	@Override
	public void merged() {
		tell(ReflectorObserver::merged);
	}

	@Override
	public void committed(Duration duration) {
		tell((observer) -> observer.committed(duration));
	}

	@Override
	public void commitFailed() {
		tell(ReflectorObserver::commitFailed);
	}

	private void tell(Consumer<ReflectorObserver> message) {
		for (Guarded guarded : this.observers) {
			try {
				message.accept(guarded.observer);
			}
			catch (Throwable ex) {
				guarded.failed(ex);
			}
		}
	}

	private static final class Guarded {

		private final ReflectorObserver observer;

		private final AtomicBoolean failed = new AtomicBoolean();

		Guarded(ReflectorObserver observer) {
			this.observer = Objects.requireNonNull(observer, "an observer is null");
		}

		RequestObserver requested(ReflectorRequest request) {
			try {
				return Objects.requireNonNull(this.observer.requested(request), "the observer of a request is null");
			}
			catch (Throwable ex) {
				failed(ex);
				return RequestObserver.NONE;
			}
		}

		void failed(Throwable failure) {
			if (this.failed.compareAndSet(false, true)) {
				logger.warn("The observer {} has failed. The reflector continues. Later failures of this observer "
						+ "are not logged", this.observer.getClass().getName(), failure);
			}
		}

	}

	private record GuardedRequest(RequestObserver observer, Guarded guarded) {

	}

	/** The observers of one request. */
	private static final class GuardedRequests implements RequestObserver {

		private final GuardedRequest[] requests;

		GuardedRequests(GuardedRequest[] requests) {
			this.requests = requests;
		}

		@Override
		public void received(long bytes) {
			for (GuardedRequest request : this.requests) {
				try {
					request.observer.received(bytes);
				}
				catch (Throwable ex) {
					request.guarded.failed(ex);
				}
			}
		}

		@Override
		public void formatRefused() {
			tell(RequestObserver::formatRefused);
		}

		@Override
		public void opened() {
			tell(RequestObserver::opened);
		}

		@Override
		public <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
			for (GuardedRequest request : this.requests) {
				try {
					request.observer.arrived(event, accessor);
				}
				catch (Throwable ex) {
					request.guarded.failed(ex);
				}
			}
		}

		@Override
		public void blocked() {
			tell(RequestObserver::blocked);
		}

		@Override
		public void unblocked(Duration duration) {
			tell((observer) -> observer.unblocked(duration));
		}

		@Override
		public void ended(RequestEnd end) {
			tell((observer) -> observer.ended(end));
		}

		private void tell(Consumer<RequestObserver> message) {
			for (GuardedRequest request : this.requests) {
				try {
					message.accept(request.observer);
				}
				catch (Throwable ex) {
					request.guarded.failed(ex);
				}
			}
		}

	}

}
