package dev.reflector.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The host name, which is the name of the pod.
 */
final class HostName {

	private HostName() {
	}

	static String of(Environment environment) {
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
