package dev.reflector.client.internal.discovery;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.reflector.ResourceType;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.schema.NearestName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Finds and remembers the types that one server serves. All reflectors of the server
 * share it. If the server has aggregated discovery, the first request gets all types at
 * once. Later requests get the types of one API version. The same request is never sent
 * twice at the same time.
 */
public final class ApiDiscovery {

	private static final Logger logger = LoggerFactory.getLogger(ApiDiscovery.class);

	private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList";

	private static final String GROUPS = "/apis";

	private static final String ACCEPT = AGGREGATED.formatted("v2") + "," + AGGREGATED.formatted("v2beta1")
			+ ",application/json";

	/**
	 * The time for which a response is used even if it does not contain the wanted type.
	 */
	private static final Duration NEGATIVE = Duration.ofSeconds(1);

	/**
	 * The largest number of API versions that are requested one by one. To refresh more
	 * versions, all types are requested at once if the server has aggregated discovery.
	 */
	private static final int FEW = 3;

	/** The largest number of versions of a group that are searched for a type. */
	private static final int MAX_VERSIONS = 10;

	private final Exchange exchange;

	private final URI server;

	private final Scheduler decodeScheduler;

	private final TimeSource time;

	private final DiscoveryPoll poll;

	private final Map<String, ServedTypes> known = new ConcurrentHashMap<>();

	private final Map<String, Mono<ServedTypes>> asking = new ConcurrentHashMap<>();

	private final Map<String, GroupVersions> groups = new ConcurrentHashMap<>();

	private final Map<String, Mono<GroupVersions>> askingGroups = new ConcurrentHashMap<>();

	private final Map<String, Mono<Boolean>> overviews = new ConcurrentHashMap<>();

	/**
	 * The roots ({@code /api} and {@code /apis}) for which all types were requested, and
	 * whether the server has aggregated discovery there.
	 */
	private final Map<String, Boolean> seen = new ConcurrentHashMap<>();

	/** The API versions that the server had at the last request for all types. */
	private final Set<String> apiVersions = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean forbiddenReported = new AtomicBoolean();

	/** Whether a response has shown that the server is an API server. */
	private volatile boolean recognized;

	public ApiDiscovery(Exchange exchange, URI server, Scheduler decodeScheduler, TimeSource time) {
		this.exchange = exchange;
		this.server = server;
		this.decodeScheduler = decodeScheduler;
		this.time = time;
		this.poll = new DiscoveryPoll(this, time);
	}

	/**
	 * Looks up the types of an API version. Sends no request if the types that are
	 * already known suffice.
	 * @param type a type of the API version
	 * @param wanted returns whether the known types suffice
	 * @return the types; an {@link ApiException} if they cannot be determined
	 */
	Mono<ServedTypes> lookup(ResourceType type, Predicate<ServedTypes> wanted) {
		return Mono.defer(() -> {
			Predicate<ServedTypes> good = goodOrRecent(wanted);
			String root = root(type);
			if (known(type) != null || this.seen.containsKey(root)) {
				return unless(good, type);
			}
			return firstOverview(root).then(unless((served) -> true, type));
		});
	}

	private static Predicate<ServedTypes> goodOrRecent(Predicate<ServedTypes> wanted) {
		return wanted.or((served) -> recent(served.askedAt()));
	}

	private static boolean recent(long askedAt) {
		return System.nanoTime() - askedAt < NEGATIVE.toNanos();
	}

	/**
	 * Finds other versions of a type's group in which the type is served.
	 * @param type the type
	 * @param wanted returns whether the types of an API version contain the type
	 * @return the API versions; empty if they cannot be determined
	 */
	Mono<List<String>> otherVersions(ResourceType type, Predicate<ServedTypes> wanted) {
		String group = type.group();
		Mono<List<String>> versions = group.isEmpty() ? Mono.just(List.of("v1")) : groupVersions(group);
		return versions.flatMapMany(Flux::fromIterable)
			.filter((version) -> !version.equals(type.version()))
			.take(MAX_VERSIONS)
			.map((version) -> ResourceType.of(group.isEmpty() ? version : group + "/" + version, type.kind(),
					type.plural()))
			.filterWhen((other) -> unless(goodOrRecent(wanted), other).map(wanted::test))
			.map(ResourceType::apiVersion)
			.collectList()
			.onErrorResume((ex) -> {
				logger.debug("Cannot find out which other versions of {} the server has", type, ex);
				return Mono.just(List.of());
			});
	}

	/**
	 * Suggests other API versions for a type whose API version the server does not have.
	 * @param type the type
	 * @return the versions of the group whose name is most similar to the type's group;
	 * empty if no group is similar
	 */
	Mono<List<String>> nearVersions(ResourceType type) {
		// an API version without a slash may be a group whose version is missing
		String group = type.group().isEmpty() ? type.version() : type.group();
		return firstOverview(GROUPS).then(Mono.<List<String>>fromSupplier(() -> {
			Map<String, List<String>> groups = this.apiVersions.stream()
				.filter((version) -> version.indexOf('/') > 0 && !version.equals(type.apiVersion()))
				.sorted()
				.collect(Collectors.groupingBy((version) -> version.substring(0, version.indexOf('/'))));
			String near = groups.keySet()
				.stream()
				.filter((name) -> name.startsWith(group + "."))
				.findFirst()
				.orElse(NearestName.of(groups.keySet(), group));
			if (near == null) {
				return List.of();
			}
			String same = near + "/" + type.version();
			List<String> versions = groups.getOrDefault(near, List.of());
			return versions.contains(same) ? List.of(same) : versions;
		})).onErrorResume((ex) -> {
			logger.debug("Cannot find out which API versions the server has", ex);
			return Mono.just(List.of());
		});
	}

	private Mono<List<String>> groupVersions(String group) {
		return Mono.defer(() -> {
			Mono<GroupVersions> asked = this.askingGroups.computeIfAbsent(group, (name) -> {
				// the response may just have arrived
				GroupVersions known = this.groups.get(name);
				return (known != null && recent(known.askedAt())) ? null
						: underWay(this.askingGroups, name, askForGroup(name));
			});
			return (asked != null) ? asked : Mono.justOrEmpty(this.groups.get(group));
		}).map(GroupVersions::versions);
	}

	private Mono<GroupVersions> askForGroup(String group) {
		return Mono.defer(() -> {
			long askedAt = System.nanoTime();
			return get(request(GROUPS + "/" + group))
				.map((answer) -> new GroupVersions(answer.groupVersions(), askedAt))
				.doOnNext((versions) -> this.groups.put(group, versions));
		});
	}

	/**
	 * Looks up the types of an API version. Sends a request if the known types were
	 * requested before a given time.
	 * @param type a type of the API version
	 * @param since the time, by {@link System#nanoTime()}
	 * @return the types; an {@link ApiException} if they cannot be determined
	 */
	Mono<ServedTypes> lookupSince(ResourceType type, long since) {
		return Mono.defer(() -> {
			Predicate<ServedTypes> recent = (served) -> served.askedAt() - since >= 0;
			return unless(recent, type);
		});
	}

	/**
	 * Waits until a type is served.
	 * @param type the type
	 * @param served returns whether the types of its API version contain the type
	 * @return a publisher that completes when the type is served
	 */
	Mono<Void> await(ResourceType type, Predicate<ServedTypes> served) {
		return this.poll.await(type, served);
	}

	/**
	 * Waits for some time.
	 * @param delay the time to wait
	 * @return a publisher that completes after this time
	 */
	Mono<Void> pause(Duration delay) {
		return Mono.create((sink) -> sink.onDispose(this.time.schedule(delay, sink::success)::run));
	}

	@Nullable ServedTypes known(ResourceType type) {
		return this.known.get(type.apiVersion());
	}

	/**
	 * Requests the API versions of some types again.
	 * @param types the types, each with a different API version
	 * @return a publisher that completes after all responses; if a request fails, the
	 * known types of its API version are kept
	 */
	Mono<Void> refresh(Collection<ResourceType> types) {
		Set<String> roots = ConcurrentHashMap.newKeySet();
		return Flux.fromIterable(types).concatMap((type) -> {
			String root = root(type);
			boolean together = types.size() > FEW && Boolean.TRUE.equals(this.seen.get(root));
			Mono<?> answer = !together ? unless((served) -> false, type)
					: roots.add(root) ? overview(root) : Mono.empty();
			return answer.onErrorResume((ex) -> {
				logger.debug("Cannot find out whether the server has {}", type, ex);
				return Mono.empty();
			});
		}).then();
	}

	/**
	 * Logs a warning that discovery is not allowed, only once for all reflectors. Logs
	 * nothing for a 401, because the server then rejects every request, and the failure
	 * of the next request is logged.
	 * @param type the type that was looked up
	 * @param plural the plural that is used instead
	 * @param refusal the response
	 */
	void forbidden(ResourceType type, String plural, ApiException refusal) {
		if (refusal.status().code() != 401 && this.forbiddenReported.compareAndSet(false, true)) {
			logger.warn("{}. From now on, plurals that are not declared are guessed, such as '{}' for {}. If a "
					+ "guess is wrong, declare 'plural'", refusal.getMessage(), plural, type);
		}
	}

	private static String root(ResourceType type) {
		return type.group().isEmpty() ? "/api" : GROUPS;
	}

	/** Requests the types of an API version, unless the known types suffice. */
	private Mono<ServedTypes> unless(Predicate<ServedTypes> enough, ResourceType type) {
		return Mono.defer(() -> {
			ServedTypes remembered = known(type);
			if (remembered != null && enough.test(remembered)) {
				return Mono.just(remembered);
			}
			Mono<ServedTypes> asked = this.asking.computeIfAbsent(type.apiVersion(), (version) -> {
				// a response may just have arrived: it is stored before its request is
				// removed
				ServedTypes known = known(type);
				return (known != null && enough.test(known)) ? null : underWay(this.asking, version, ask(type));
			});
			return (asked != null) ? asked : Mono.justOrEmpty(known(type));
		});
	}

	private Mono<ServedTypes> ask(ResourceType type) {
		ApiRequest request = new CollectionUris(this.server, type, "", "").discovery();
		return Mono.defer(() -> {
			long askedAt = System.nanoTime();
			return get(request).map((answer) -> served(answer, askedAt))
				.onErrorResume(ApiException.class,
						(ex) -> (ex.status().code() == 404) ? absent(request, askedAt) : Mono.error(ex))
				.onErrorMap(MalformedResponseException.class,
						(ex) -> new MalformedResponseException(request + ": " + ex.getMessage(), ex))
				.doOnNext((served) -> this.known.put(type.apiVersion(), served));
		});
	}

	private ServedTypes served(DiscoveryAnswer answer, long askedAt) {
		List<DiscoveredType> resources = answer.resources();
		if (resources == null) {
			throw new MalformedResponseException("the response to API discovery is not an APIResourceList");
		}
		this.recognized = true;
		return new ServedTypes(true, resources, askedAt);
	}

	/**
	 * Handles a 404 response to discovery. Any server may send a 404, but only an API
	 * server has a Kubernetes version, so the version is requested.
	 */
	private Mono<ServedTypes> absent(ApiRequest request, long askedAt) {
		if (this.recognized) {
			return Mono.just(ServedTypes.absent(askedAt));
		}
		return get(request("/version")).map(DiscoveryAnswer::versionInfo)
			.onErrorReturn(MalformedResponseException.class, false)
			.onErrorResume(ApiException.class, (ex) -> switch (ex.status().code()) {
				case 404 -> Mono.just(false);
				case 401, 403 -> Mono.just(true);
				default -> Mono.error(ex);
			})
			.flatMap((genuine) -> {
				this.recognized = genuine;
				return genuine ? Mono.just(ServedTypes.absent(askedAt)) : Mono.error(strangeServer(request));
			});
	}

	private ApiException strangeServer(ApiRequest request) {
		String message = request + " was answered with 404, and GET /version not as by a Kubernetes API server: "
				+ "what answers at " + this.server
				+ " is none, or it is not under this path; check the address, such as 'reflector.api-server.url'";
		return new ApiException(message, Status.ofHttp(404, message), Duration.ZERO);
	}

	private Mono<Void> firstOverview(String root) {
		return Mono.defer(() -> {
			Mono<Boolean> asked = this.overviews.computeIfAbsent(root,
					// the response may just have arrived
					(key) -> this.seen.containsKey(key) ? null : underWay(this.overviews, key, askForAll(key)));
			return (asked != null) ? asked.then() : Mono.empty();
		});
	}

	private Mono<Boolean> overview(String root) {
		return Mono
			.defer(() -> this.overviews.computeIfAbsent(root, (key) -> underWay(this.overviews, key, askForAll(key))));
	}

	/**
	 * Requests all types at once.
	 * @return whether the server has aggregated discovery
	 */
	private Mono<Boolean> askForAll(String root) {
		return Mono.defer(() -> {
			long askedAt = System.nanoTime();
			return get(request(root).accepting(ACCEPT)).map((answer) -> {
				Map<String, List<DiscoveredType>> versions = answer.versions();
				this.apiVersions.addAll(answer.apiVersions());
				if (versions != null) {
					this.recognized = true;
					versions
						.forEach((version, types) -> this.known.put(version, new ServedTypes(true, types, askedAt)));
				}
				return versions != null;
			})
				// the request for one API version may succeed, or fail with a better
				// message
				.onErrorResume((ex) -> ex instanceof ApiException || ex instanceof MalformedResponseException, (ex) -> {
					logger.debug("The server has no aggregated discovery at {}{}", this.server, root, ex);
					return Mono.just(false);
				})
				.doOnNext((aggregated) -> this.seen.merge(root, aggregated, Boolean::logicalOr));
		});
	}

	private ApiRequest request(String path) {
		return ApiRequest.get(this.server, path);
	}

	private Mono<DiscoveryAnswer> get(ApiRequest request) {
		return this.exchange.send(request,
				// the response is never compressed, because the request does not ask for
				// compression
				(answer) -> answer.bytes()
					.collect(ByteArrayOutputStream::new, ApiDiscovery::append)
					.publishOn(this.decodeScheduler)
					.map((bytes) -> DiscoveryReader.read(bytes.toByteArray()))
					.flux())
			.single();
	}

	private static void append(ByteArrayOutputStream buffer, byte[] bytes) {
		if (buffer.size() + bytes.length > DiscoveryReader.MAX_BODY) {
			throw new MalformedResponseException(
					"the answer to API discovery is larger than " + DiscoveryReader.MAX_BODY + " bytes");
		}
		buffer.write(bytes, 0, bytes.length);
	}

	/**
	 * Shares a request among all callers. Its response must be stored before the callers
	 * receive it and before the request is removed.
	 */
	private <K, V> Mono<V> underWay(Map<K, Mono<V>> underWay, K key, Mono<V> request) {
		return this.exchange.limited(request, "API discovery").doOnTerminate(() -> underWay.remove(key)).cache();
	}

	/** The versions of a group, and the time at which they were requested. */
	private record GroupVersions(List<String> versions, long askedAt) {

	}

}
