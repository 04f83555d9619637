package dev.reflector.modulith;

/**
 * An event of the application itself.
 *
 * @param key key of the widget
 * @param size its size
 * @param deleted whether it is gone
 */
record WidgetChanged(String key, int size, boolean deleted) {

}
