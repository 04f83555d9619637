package dev.reflector.console;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * Sends a request without a user through the filters of Spring Security, in memory, and
 * checks whether the filters let it pass.
 *
 * @param filters the filters of Spring Security
 * @param path path of the console in the servlet context
 */
record ServletConsoleProtection(Filter filters, String path) implements ConsoleProtection {

	@Override
	public boolean isOpen() {
		AtomicBoolean reached = new AtomicBoolean();
		try {
			this.filters.doFilter(request(), stand(HttpServletResponse.class, Map.of()),
					(request, response) -> reached.set(true));
		}
		catch (IOException | ServletException | RuntimeException ex) {
			ConsoleProtection.failed(ex);
		}
		return reached.get();
	}

	private HttpServletRequest request() {
		String uri = this.path + REQUEST;
		return stand(HttpServletRequest.class,
				Map.ofEntries(Map.entry("getMethod", "GET"), Map.entry("getRequestURI", uri),
						Map.entry("getRequestURL", new StringBuffer("https://localhost" + uri)),
						Map.entry("getServletPath", uri), Map.entry("getContextPath", ""),
						Map.entry("getScheme", "https"), Map.entry("isSecure", true),
						Map.entry("getServerName", "localhost"), Map.entry("getRemoteAddr", ""),
						Map.entry("getDispatcherType", DispatcherType.REQUEST), Map.entry("getLocale", Locale.ROOT),
						Map.entry("getHttpServletMapping", stand(HttpServletMapping.class, Map.of()))));
	}

	/**
	 * Makes a proxy for a servlet interface. Its methods return the given values and
	 * store attributes; all other methods do nothing.
	 */
	private static <T> T stand(Class<T> type, Map<String, Object> values) {
		Map<Object, Object> attributes = new HashMap<>();
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method, arguments) -> {
				if (method.getName().equals("setAttribute")) {
					return attributes.put(arguments[0], arguments[1]);
				}
				if (method.getName().equals("getAttribute")) {
					return attributes.get(arguments[0]);
				}
				Object value = values.get(method.getName());
				return (value != null) ? value : nothing(self, method);
			}));
	}

	private static @Nullable Object nothing(Object self, Method method) {
		Class<?> type = method.getReturnType();
		if (method.getName().equals("hashCode")) {
			return System.identityHashCode(self);
		}
		if (type == boolean.class) {
			return false;
		}
		if (type == int.class) {
			return 0;
		}
		if (type == long.class) {
			return -1L;
		}
		if (type == Enumeration.class) {
			return Collections.emptyEnumeration();
		}
		return (type == Map.class) ? Map.of() : (type == Collection.class) ? List.of() : null;
	}

	/** Makes the proxies of this class work in a native image. */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			if (ClassUtils.isPresent("jakarta.servlet.http.HttpServletRequest", classLoader)) {
				hints.proxies().registerJdkProxy(HttpServletRequest.class);
				hints.proxies().registerJdkProxy(HttpServletResponse.class);
				hints.proxies().registerJdkProxy(HttpServletMapping.class);
			}
		}

	}

}
