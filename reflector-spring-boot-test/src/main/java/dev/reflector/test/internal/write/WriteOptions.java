package dev.reflector.test.internal.write;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Parameters;

/**
 * The manager and the options of a write.
 *
 * @param manager the name of the field manager, which becomes the owner of the written
 * fields
 * @param force whether an apply may take fields from other managers
 * @param dryRun whether the write is only checked, without an effect
 * @param validation what the server does if there are unknown fields, or fields that
 * occur twice
 * @param direct whether a test writes directly, so that the rules for clients do not
 * apply
 * @param repeated messages about the fields that occur twice in the body; empty if such
 * fields are ignored
 * @param warnings receives warnings for the client
 */
public record WriteOptions(String manager, boolean force, boolean dryRun, FieldValidation validation, boolean direct,
		List<String> repeated, Consumer<String> warnings) {

	/** Name of the manager for direct writes of a test that name no manager. */
	public static final String TEST = "test";

	private static final int LONGEST_MANAGER = 128;

	/**
	 * Returns the options for a direct write of a test, without a request.
	 * @param manager the name of the manager
	 * @return the options
	 */
	public static WriteOptions direct(String manager) {
		return new WriteOptions(manager, false, false, FieldValidation.IGNORE, true, List.of(), (warning) -> {
		});
	}

	/**
	 * Reads the options of a request.
	 * @param kind the kind of the options, for messages
	 * @param parameters the query parameters
	 * @param userAgent the user agent, used if the parameters name no manager
	 * @param warnings receives warnings for the client
	 * @return the options
	 * @throws ApiFailure if the options are not valid
	 */
	public static WriteOptions of(String kind, Parameters parameters, String userAgent, Consumer<String> warnings) {
		return of(kind, parameters, userAgent, new ArrayList<>(), warnings);
	}

	/**
	 * Reads the options of an apply.
	 * @param parameters the query parameters
	 * @param warnings receives warnings for the client
	 * @return the options
	 * @throws ApiFailure if the options are not valid or name no manager
	 */
	static WriteOptions ofApply(Parameters parameters, Consumer<String> warnings) {
		List<Status.Cause> causes = new ArrayList<>();
		if (!parameters.has("fieldManager")) {
			causes.add(new Status.Cause("FieldValueRequired", "Required value: is required for apply patch",
					"fieldManager"));
		}
		return of("PatchOptions", parameters, "", causes, warnings);
	}

	/**
	 * Reads the options of a patch that is not an apply.
	 * @param parameters the query parameters
	 * @param userAgent the user agent, used if the parameters name no manager
	 * @param warnings receives warnings for the client
	 * @return the options
	 * @throws ApiFailure if the options are not valid
	 */
	public static WriteOptions ofPatch(Parameters parameters, String userAgent, Consumer<String> warnings) {
		List<Status.Cause> causes = new ArrayList<>();
		if (parameters.has("force")) {
			causes.add(new Status.Cause("FieldValueForbidden", "Forbidden: may not be specified for non-apply patch",
					"force"));
		}
		return of("PatchOptions", parameters, userAgent, causes, warnings);
	}

	private static WriteOptions of(String kind, Parameters parameters, String userAgent, List<Status.Cause> causes,
			Consumer<String> warnings) {
		String manager = parameters.text("fieldManager");
		checkManager(manager, causes);
		String dryRun = parameters.text("dryRun");
		checkDryRun(dryRun, causes);
		String asked = parameters.text("fieldValidation");
		FieldValidation validation = FieldValidation.of(asked);
		if (validation == null) {
			causes.add(new Status.Cause("FieldValueNotSupported",
					"Unsupported value: \"" + asked + "\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
					"fieldValidation"));
		}
		if (!causes.isEmpty() || validation == null) {
			throw ApiFailure.invalidOptions(kind, causes);
		}
		return new WriteOptions(manager(manager, userAgent), parameters.flag("force"), !dryRun.isEmpty(), validation,
				false, List.of(), warnings);
	}

	/**
	 * Returns a copy of these options with messages about the fields that occur twice in
	 * a JSON body. If such fields are ignored, returns these options.
	 * @param json the body
	 * @return new options
	 */
	public WriteOptions withBody(byte[] json) {
		return withRepeated((this.validation != FieldValidation.IGNORE) ? StrictDecoding.repeated(json) : List.of());
	}

	private WriteOptions withRepeated(List<String> repeated) {
		return new WriteOptions(this.manager, this.force, this.dryRun, this.validation, this.direct, repeated,
				this.warnings);
	}

	/**
	 * Returns a copy of these options for an apply with or without force.
	 * @param force whether the apply may take fields from other managers
	 * @return new options
	 */
	public WriteOptions forced(boolean force) {
		return new WriteOptions(this.manager, force, this.dryRun, this.validation, this.direct, this.repeated,
				this.warnings);
	}

	static void checkDryRun(String dryRun, List<Status.Cause> causes) {
		if (!dryRun.isEmpty() && !"All".equals(dryRun)) {
			causes.add(new Status.Cause("FieldValueNotSupported",
					"Unsupported value: [\"" + dryRun + "\"]: supported values: \"All\"", "dryRun"));
		}
	}

	private static void checkManager(String manager, List<Status.Cause> causes) {
		if (manager.getBytes(StandardCharsets.UTF_8).length > LONGEST_MANAGER) {
			causes.add(new Status.Cause("FieldValueTooLong",
					"Too long: may not be more than " + LONGEST_MANAGER + " bytes", "fieldManager"));
		}
		for (int i = 0; i < manager.length(); i++) {
			if (!isPrintable(manager.charAt(i))) {
				String code = String.format("%04X", (int) manager.charAt(i));
				causes.add(new Status.Cause("FieldValueInvalid", "Invalid value: \"" + escaped(manager)
						+ "\": invalid character U+" + code + " (at position " + i + ")", "fieldManager"));
			}
		}
	}

	private static String escaped(String text) {
		StringBuilder escaped = new StringBuilder();
		text.chars()
			.forEach((c) -> escaped
				.append(isPrintable((char) c) ? String.valueOf((char) c) : String.format("\\x%02x", c)));
		return escaped.toString();
	}

	private static boolean isPrintable(char c) {
		return !Character.isISOControl(c) && Character.isDefined(c);
	}

	/**
	 * Returns the manager of a write.
	 * @param manager the name of the manager in the request, empty for none
	 * @param userAgent the user agent of the writer
	 * @return the name of the manager
	 */
	public static String manager(String manager, String userAgent) {
		return manager.isEmpty() ? nameOf(userAgent) : manager;
	}

	/**
	 * Returns the part of a user agent before the first slash, as in
	 * {@code kubectl/v1.36.0}.
	 */
	private static String nameOf(String userAgent) {
		StringBuilder name = new StringBuilder();
		for (char c : userAgent.split("/", 2)[0].toCharArray()) {
			if (isPrintable(c) && name.length() < LONGEST_MANAGER) {
				name.append(c);
			}
		}
		return name.isEmpty() ? "unknown" : name.toString();
	}

}
