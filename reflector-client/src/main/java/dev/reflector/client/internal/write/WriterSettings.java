package dev.reflector.client.internal.write;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.client.internal.discovery.ApiDiscovery;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.write.WriteMode;
import dev.reflector.write.WriteObserver;
import tools.jackson.databind.json.JsonMapper;

/**
 * The settings of a writer.
 *
 * @param exchange sends requests
 * @param server the URL of the server
 * @param discovery asks the server for plurals
 * @param mapper the mapper of the application
 * @param application the name of the application
 * @param placeholders resolves placeholders in texts of annotations
 * @param timeout the longest duration of a call
 * @param mode whether writes take effect
 * @param mirrors supplies the mirrors of the application; called for each write
 * @param awaited whether a caller who waits for the mirrors waits for one of them
 * @param observers receive a report of each write
 * @param types the written types, which are checked when the writer is created
 */
public record WriterSettings(Exchange exchange, URI server, ApiDiscovery discovery, JsonMapper mapper,
		String application, UnaryOperator<String> placeholders, Duration timeout, WriteMode mode,
		Supplier<List<Mirror<?>>> mirrors, Predicate<SharedInformer<?>> awaited, List<WriteObserver> observers,
		List<Class<?>> types) {

}
