package dev.reflector.autoconfigure.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Finds the host name, which in a pod is the name of the pod.
 */
public final class HostName {

	private HostName() {
	}

	/**
	 * Finds the host name.
	 * @param environment supplies the variable {@code HOSTNAME}
	 * @return the name, or {@code unknown} if there is none
	 */
	public static String of(Environment environment) {
		String variable = environment.getProperty("HOSTNAME");
		if (StringUtils.hasText(variable)) {
			return variable.strip();
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
