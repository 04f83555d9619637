package dev.reflector.event;

import java.util.List;

/**
 * Finds the event listener that a thread is calling. The name comes from the stack of the
 * thread, because Spring does not report which listener it calls.
 */
final class ListenerInCall {

	private static final String MULTICASTER = "org.springframework.context.event.SimpleApplicationEventMulticaster";

	/**
	 * Packages of classes that are called between Spring's multicaster and the listener.
	 */
	private static final List<String> BETWEEN = List.of("org.springframework.", "java.", "jdk.", "sun.");

	private ListenerInCall() {
	}

	/**
	 * Returns the name of the listener that a thread is calling.
	 * @param thread the thread
	 * @return class and method, or 'a listener' if the stack does not show the listener
	 */
	static String name(Thread thread) {
		StackTraceElement[] stack = thread.getStackTrace();
		boolean called = false;
		// the search begins with the outermost call
		for (int i = stack.length - 1; i >= 0; i--) {
			String type = stack[i].getClassName();
			if (type.equals(MULTICASTER)) {
				called = true;
			}
			else if (called && BETWEEN.stream().noneMatch(type::startsWith)) {
				// the name of a proxy begins with the name of the class that it extends
				int proxy = type.indexOf("$$");
				return ((proxy < 0) ? type : type.substring(0, proxy)) + "." + stack[i].getMethodName();
			}
		}
		return "a listener";
	}

}
