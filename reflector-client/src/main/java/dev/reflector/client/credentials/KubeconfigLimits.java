package dev.reflector.client.credentials;

import java.io.StringReader;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.Event;

/**
 * Checks whether a kubeconfig exceeds limits, before it is read into objects. SnakeYAML
 * could check the same limits, but its exceptions do not show whether a limit was
 * exceeded or the file has a mistake.
 */
final class KubeconfigLimits {

	private static final int MAX_CHARACTERS = 3 * 1024 * 1024;

	/**
	 * The largest number of aliases. There may be many, because many contexts may share a
	 * user.
	 */
	private static final int MAX_ALIASES = 1000;

	/** The largest depth to which mappings and lists may be nested. */
	static final int MAX_DEPTH = 30;

	private KubeconfigLimits() {
	}

	/**
	 * Returns the settings for reading a kubeconfig. The limits in these settings are
	 * higher than the limits that {@link #exceeded} checks.
	 * @return the settings
	 */
	static LoaderOptions options() {
		LoaderOptions options = new LoaderOptions();
		options.setCodePointLimit(MAX_CHARACTERS + 1);
		options.setMaxAliasesForCollections(MAX_ALIASES + 1);
		options.setNestingDepthLimit(2 * MAX_DEPTH);
		// as in kubectl, the last of several equal keys is used without a warning
		options.setWarnOnDuplicateKeys(false);
		return options;
	}

	/**
	 * Finds the limit that a kubeconfig exceeds.
	 * @param text the text of the kubeconfig
	 * @return which limit the kubeconfig exceeds and what to do, or {@code null} if it
	 * exceeds none
	 * @throws org.yaml.snakeyaml.error.YAMLException if the text is no valid YAML
	 */
	static @Nullable String exceeded(String text) {
		if (text.length() > MAX_CHARACTERS) {
			return "is longer than " + MAX_CHARACTERS + " characters; split it into several files";
		}
		Set<String> collections = new HashSet<>();
		int aliases = 0;
		int depth = 0;
		for (Event event : new Yaml(new SafeConstructor(options())).parse(new StringReader(text))) {
			if (event instanceof CollectionStartEvent start) {
				if (++depth > MAX_DEPTH) {
					return "is nested more than " + MAX_DEPTH + " levels deep" + line(event) + "; make it flatter";
				}
				if (start.getAnchor() != null) {
					collections.add(start.getAnchor());
				}
			}
			else if (event instanceof CollectionEndEvent) {
				depth--;
			}
			else if (event instanceof AliasEvent alias && collections.contains(alias.getAnchor())
					&& ++aliases > MAX_ALIASES) {
				return "has more than " + MAX_ALIASES + " aliases of mappings and lists" + line(event)
						+ "; write some of them out";
			}
			else if (event instanceof DocumentEndEvent) {
				break;
			}
		}
		return null;
	}

	private static String line(Event event) {
		return " at line " + (event.getStartMark().getLine() + 1);
	}

}
