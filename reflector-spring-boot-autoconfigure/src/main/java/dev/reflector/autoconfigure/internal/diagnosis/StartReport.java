package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.event.ReflectorListenerBeans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Logs what an application mirrors, after the whole application has started: the server,
 * each reflector with its listeners, and the addresses of endpoint and console. If the
 * application mirrors nothing, the report says how to declare a type.
 */
public final class StartReport implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(StartReport.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ApplicationContext context;

	private volatile boolean running;

	/**
	 * Creates the report.
	 * @param beanFactory the factory of the reflectors
	 * @param context the context, which supplies the addresses
	 */
	public StartReport(ConfigurableListableBeanFactory beanFactory, ApplicationContext context) {
		this.beanFactory = beanFactory;
		this.context = context;
	}

	@Override
	public void start() {
		if (!this.running && logger.isInfoEnabled()) {
			List<String> names = Stream.of(this.beanFactory.getBeanNamesForType(Reflector.class, false, false))
				.filter((bean) -> !ScopedProxyUtils.isScopedTarget(bean))
				.toList();
			if (!names.isEmpty()) {
				report(names);
			}
			else if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, Reflector.class, false,
					false).length == 0) {
				logger.info(
						"No type is mirrored: annotate one with @ReflectedResource {}, or set "
								+ "'reflector.resources.<name>.api-version' and 'reflector.resources.<name>.kind'",
						where());
			}
		}
		this.running = true;
	}

	private String where() {
		return AutoConfigurationPackages.has(this.beanFactory)
				? "in " + String.join(", ", AutoConfigurationPackages.get(this.beanFactory)) + " or below"
				: "and add its package to @ReflectedResourceScan";
	}

	private void report(List<String> beans) {
		StringBuilder text = new StringBuilder("Mirrored").append(server()).append(':');
		for (String bean : beans) {
			Reflector<?> reflector = this.beanFactory.getBean(bean, Reflector.class);
			if (!ReflectorNaming.isNamed(reflector)) {
				// a mock of the connection, as in a test
				return;
			}
			text.append("\n  ").append(reflector.name()).append(" (").append(reflector.resourceType()).append(", ");
			text.append(reflector.namespaces().isEmpty() ? "all namespaces"
					: "namespaces " + String.join(", ", reflector.namespaces()));
			text.append("): ").append(listeners(bean, reflector));
		}
		Reachability reachability = new Reachability(this.context);
		text.append("\n  endpoint: ").append(reachability.endpoint());
		String console = reachability.console();
		if (console != null) {
			text.append("\n  console: ").append(console);
		}
		logger.info("{}", text);
	}

	/** Describes the server, if any reflector uses it. */
	private String server() {
		return this.beanFactory.containsSingleton(ApiServerConnection.BEAN_NAME)
				? this.beanFactory.getBean(ApiServerConnection.class)
					.server()
					.map((server) -> " from " + server)
					.orElse("")
				: "";
	}

	private String listeners(String bean, Reflector<?> reflector) {
		if (reflector.state() == ReflectorState.STOPPED) {
			return "not started";
		}
		Class<?> type = NamedReflectors.mirrored(this.beanFactory, bean);
		if (type == null) {
			return "made by hand, publishes no events";
		}
		Stream<String> handlers = this.beanFactory.getBeanProvider(ReflectorFactory.class)
			.stream()
			.flatMap((factory) -> factory.handlerNames(type).stream())
			.map((handler) -> "'" + handler + "'");
		Stream<String> listeners = this.beanFactory.getBeanProvider(ReflectorListenerBeans.class)
			.stream()
			.flatMap((found) -> found.listenersOf(type).stream());
		List<String> all = Stream.concat(listeners.sorted(), handlers).distinct().toList();
		return all.isEmpty() ? "no listener" : String.join(", ", all);
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Returns the last phase, after the web server. */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

}
