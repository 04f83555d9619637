package dev.reflector.write;

/**
 * A widget without content. It is not in the package of the integration tests, because
 * their applications would find it.
 *
 * @param metadata the metadata
 */
@AppliedResource(apiVersion = "example.com/v1", kind = "Widget", plural = "widgets")
public record AppliedWidget(AppliedMeta metadata) {

}
