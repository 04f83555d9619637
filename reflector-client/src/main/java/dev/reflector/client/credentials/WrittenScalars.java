package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Keeps the written text of each YAML scalar. For example, the token {@code 2024-01-31},
 * {@code 12:30:45} or {@code 716064e0} is read as text, although YAML 1.1 reads it as
 * another type.
 */
final class WrittenScalars extends SafeConstructor {

	WrittenScalars(LoaderOptions options) {
		super(options);
		for (Tag tag : new Tag[] { Tag.INT, Tag.FLOAT, Tag.BOOL }) {
			this.yamlConstructors.put(tag, new Written(true));
		}
		this.yamlConstructors.put(Tag.TIMESTAMP, new Written(false));
	}

	/**
	 * A scalar without quotes that looks like a number, boolean or date.
	 *
	 * @param text the scalar as it is written
	 * @param value the typed value, as kubectl reads it into a field of any type
	 */
	record Scalar(String text, Object value) {

		@Override
		public String toString() {
			return this.text;
		}

	}

	private final class Written extends AbstractConstruct {

		private final boolean typed;

		Written(boolean typed) {
			this.typed = typed;
		}

		@Override
		public Object construct(Node node) {
			String text = ((ScalarNode) node).getValue();
			// kubectl does not support numbers in base 60
			Object value = (this.typed && text.indexOf(':') < 0) ? typed(node, text) : text;
			return new Scalar(text, value);
		}

		private Object typed(Node node, String text) {
			try {
				Tag tag = node.getTag();
				@Nullable Object value = tag.equals(Tag.INT) ? new ConstructYamlInt().construct(node) : tag.equals(Tag.FLOAT)
						? new ConstructYamlFloat().construct(node) : new ConstructYamlBool().construct(node);
				return (value != null) ? value : text;
			}
			catch (NumberFormatException ex) {
				return text;
			}
		}

	}

}
