package dev.reflector.client.internal.proto;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.client.internal.bind.Shape;
import org.jspecify.annotations.Nullable;

/** Makes plans: finds the fields of a message that a Java type uses. */
final class Planner {

	private final MessageTable table;

	private final Map<Request, Plan> plans = new HashMap<>();

	Planner(MessageTable table) {
		this.table = table;
	}

	/**
	 * Makes a plan.
	 * @param message the name of the message
	 * @param shape the parts of the message's JSON that are used
	 * @param besides further parts that are used, or {@code null} for none
	 * @return the plan
	 */
	Plan plan(String message, Shape shape, @Nullable Shape besides) {
		Request request = new Request(message, shape, besides);
		Plan known = this.plans.get(request);
		if (known != null) {
			return known;
		}
		Message described = this.table.message(message);
		Plan plan = new Plan(described.choice());
		this.plans.put(request, plan);
		List<Plan.Step> taken = new ArrayList<>();
		for (Field field : described.fields()) {
			Plan.Step step = step(described, field, request, 1L << taken.size());
			if (step != null) {
				taken.add(step);
			}
		}
		if (taken.size() > Long.SIZE) {
			throw new IllegalStateException(message + " has more than " + Long.SIZE + " fields");
		}
		int numbers = taken.stream().mapToInt((step) -> step.field().number() + 1).max().orElse(0);
		Plan.@Nullable Step[] steps = new Plan.Step[numbers];
		taken.forEach((step) -> steps[step.field().number()] = step);
		plan.setSteps(steps,
				taken.stream().filter((step) -> step.field().zero() == Field.Zero.NULL).toArray(Plan.Step[]::new));
		return plan;
	}

	private Plan.@Nullable Step step(Message message, Field field, Request request, long bit) {
		if (field.isInline() || message.choice()) {
			boolean object = field.isInline();
			Shape shape = object ? request.shape() : Shape.ALL;
			Plan inner = (field.message() != null) ? plan(field.message(), shape, object ? request.besides() : null)
					: null;
			return (inner == null || !object || !inner.isEmpty()) ? new Plan.Step(field, new byte[0], bit, inner)
					: null;
		}
		byte[] name = field.name().getBytes(StandardCharsets.UTF_8);
		Shape shape = part(request.shape(), name);
		Shape besides = (request.besides() != null) ? part(request.besides(), name) : null;
		Shape taken = (shape != null) ? shape : besides;
		if (taken == null) {
			return null;
		}
		Shape more = (shape != null && shape != Shape.ALL) ? besides : null;
		Plan plan = (field.message() != null)
				? plan(field.message(), each(taken, field.many()), (field.many() == Field.Many.ONE) ? more : null)
				: null;
		return new Plan.Step(field, ("\"" + field.name() + "\":").getBytes(StandardCharsets.UTF_8), bit, plan);
	}

	private static @Nullable Shape part(Shape shape, byte[] name) {
		if (shape instanceof Shape.Properties properties) {
			return properties.find(name, 0, name.length);
		}
		return (shape instanceof Shape.Entries entries) ? entries.each() : Shape.ALL;
	}

	/**
	 * Returns the shape of an element. If the shape does not fit the field, the whole
	 * element is used.
	 */
	private static Shape each(Shape shape, Field.Many many) {
		return switch (many) {
			case ONE -> shape;
			case LIST -> (shape instanceof Shape.Elements elements) ? elements.each() : Shape.ALL;
			case MAP -> (shape instanceof Shape.Entries entries) ? entries.each() : Shape.ALL;
		};
	}

	private record Request(String message, Shape shape, @Nullable Shape besides) {

	}

}
