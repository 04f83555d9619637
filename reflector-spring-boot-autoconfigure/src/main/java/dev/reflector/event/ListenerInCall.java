package dev.reflector.event;

import java.util.List;

/**
 * Names the listener of an application event that a thread is calling, as its stack
 * shows: Spring does not say which one it calls.
 */
final class ListenerInCall {

	private static final String MULTICASTER = "org.springframework.context.event.SimpleApplicationEventMulticaster";

	/** What stands between the caller of listeners and the listener. */
	private static final List<String> BETWEEN = List.of("org.springframework.", "java.", "jdk.", "sun.");

	private ListenerInCall() {
	}

	/**
	 * The listener that a thread is calling.
	 * @param thread the thread
	 * @return class and method, or 'a listener' when the stack does not show it
	 */
	static String name(Thread thread) {
		StackTraceElement[] stack = thread.getStackTrace();
		boolean called = false;
		// from the outermost call on
		for (int i = stack.length - 1; i >= 0; i--) {
			String type = stack[i].getClassName();
			if (type.equals(MULTICASTER)) {
				called = true;
			}
			else if (called && BETWEEN.stream().noneMatch(type::startsWith)) {
				// a proxy is named after the class that it extends
				int proxy = type.indexOf("$$");
				return ((proxy < 0) ? type : type.substring(0, proxy)) + "." + stack[i].getMethodName();
			}
		}
		return "a listener";
	}

}
