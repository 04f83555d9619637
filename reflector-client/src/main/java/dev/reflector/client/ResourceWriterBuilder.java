package dev.reflector.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.reflector.Experimental;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.client.internal.discovery.ApiDiscovery;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.write.Mirror;
import dev.reflector.client.internal.write.ServerWriter;
import dev.reflector.client.internal.write.WriterSettings;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteMode;
import dev.reflector.write.WriteObserver;
import tools.jackson.databind.json.JsonMapper;

/**
 * Builds a writer to the server of an {@link ApiServerClient}. A writer needs no mirrors.
 * Without mirrors, however, it cannot skip writes that would change nothing, and cannot
 * wait until a mirror shows a write.
 *
 * @since 0.1.0
 */
@Experimental
public final class ResourceWriterBuilder {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final Exchange exchange;

	private final URI server;

	private final ApiDiscovery discovery;

	private final JsonMapper mapper;

	private final List<Mirror<?>> mirrors = new CopyOnWriteArrayList<>();

	private Supplier<Map<SharedInformer<?>, Class<?>>> moreMirrors = Map::of;

	private Predicate<SharedInformer<?>> awaited = (informer) -> true;

	private String application = "application";

	private UnaryOperator<String> placeholders = (text) -> text;

	private Duration timeout = TIMEOUT;

	private WriteMode mode = WriteMode.ON;

	private final List<WriteObserver> observers = new ArrayList<>();

	private final List<Class<?>> types = new ArrayList<>();

	ResourceWriterBuilder(Exchange exchange, URI server, ApiDiscovery discovery, JsonMapper mapper) {
		this.exchange = exchange;
		this.server = server;
		this.discovery = discovery;
		this.mapper = mapper;
	}

	/**
	 * Sets the name of the application. By default, the name of a field manager begins
	 * with this name.
	 * @param application the name; by default {@code application}
	 * @return this builder
	 * @throws IllegalArgumentException if the name is empty
	 */
	public ResourceWriterBuilder application(String application) {
		if (application.isEmpty()) {
			throw new IllegalArgumentException("the name of the application must not be empty");
		}
		this.application = application;
		return this;
	}

	/**
	 * Adds a mirror of objects that the application also writes. With it, the writer can
	 * skip an apply that would change nothing, and can wait until the mirror shows a
	 * write.
	 * @param <T> the type of the mirrored objects
	 * @param type the type of the mirrored objects
	 * @param informer the informer that keeps the mirror
	 * @return this builder
	 */
	public <T> ResourceWriterBuilder mirror(Class<T> type, SharedInformer<T> informer) {
		this.mirrors.add(new Mirror<>(type, informer));
		return this;
	}

	/**
	 * Sets a supplier of further mirrors. The supplier is called for each write, so
	 * mirrors may be created later than the writer.
	 * @param mirrors returns the informer of each mirror, with the type of the mirrored
	 * objects
	 * @return this builder
	 */
	public ResourceWriterBuilder mirrors(Supplier<Map<SharedInformer<?>, Class<?>>> mirrors) {
		this.moreMirrors = mirrors;
		return this;
	}

	/**
	 * Sets which mirrors {@link dev.reflector.write.Written#awaitMirrored(Duration)}
	 * waits for. A mirror of another server, or one that is never started, must be left
	 * out, because its versions say nothing about a write.
	 * @param awaited whether to wait for the mirror of an informer; by default, always
	 * @return this builder
	 */
	public ResourceWriterBuilder awaited(Predicate<SharedInformer<?>> awaited) {
		this.awaited = awaited;
		return this;
	}

	/**
	 * Sets the function that resolves placeholders in the attributes of
	 * {@link dev.reflector.write.AppliedResource}.
	 * @param placeholders resolves the placeholders of a text; by default, the text is
	 * returned unchanged
	 * @return this builder
	 */
	public ResourceWriterBuilder placeholders(UnaryOperator<String> placeholders) {
		this.placeholders = placeholders;
		return this;
	}

	/**
	 * Sets how long a call may take, including repeated requests.
	 * @param timeout the time, positive; by default 30 seconds
	 * @return this builder
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public ResourceWriterBuilder timeout(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("the timeout must be positive");
		}
		this.timeout = timeout;
		return this;
	}

	/**
	 * Sets whether writes take effect.
	 * @param mode the mode; by default {@link WriteMode#ON}
	 * @return this builder
	 */
	public ResourceWriterBuilder mode(WriteMode mode) {
		this.mode = mode;
		return this;
	}

	/**
	 * Adds an observer that receives a report of each write.
	 * @param observer the observer; if the observer throws, the other observers are still
	 * called
	 * @return this builder
	 */
	public ResourceWriterBuilder observer(WriteObserver observer) {
		this.observers.add(observer);
		return this;
	}

	/**
	 * Adds types that the application writes, annotated with
	 * {@link dev.reflector.write.AppliedResource}. Mistakes in these types are found when
	 * the writer is built. Mistakes in other types are found at their first write.
	 * @param types the types
	 * @return this builder
	 */
	public ResourceWriterBuilder types(Collection<? extends Class<?>> types) {
		this.types.addAll(types);
		return this;
	}

	/**
	 * Builds the writer. Makes no request.
	 * @return the writer
	 * @throws dev.reflector.write.InvalidAppliedTypeException if one of the
	 * {@linkplain #types(Collection) types} cannot be applied, or if two of them have the
	 * same kind and the same field manager
	 */
	public ResourceWriter build() {
		List<Mirror<?>> own = List.copyOf(this.mirrors);
		Supplier<Map<SharedInformer<?>, Class<?>>> more = this.moreMirrors;
		Supplier<List<Mirror<?>>> all = () -> Stream
			.concat(own.stream(),
					more.get().entrySet().stream().map((entry) -> anyMirror(entry.getValue(), entry.getKey())))
			.toList();
		return new ServerWriter(new WriterSettings(this.exchange, this.server, this.discovery, this.mapper,
				this.application, this.placeholders, this.timeout, this.mode, all, this.awaited,
				List.copyOf(this.observers), List.copyOf(this.types)));
	}

	@SuppressWarnings("unchecked")
	private static <T> Mirror<T> anyMirror(Class<?> type, SharedInformer<T> informer) {
		return new Mirror<>((Class<T>) type, informer);
	}

}
