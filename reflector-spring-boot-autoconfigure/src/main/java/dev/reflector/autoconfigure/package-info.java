/**
 * The auto-configurations, their properties, and the beans with which an application
 * adapts them. They put the rooms below together: what to mirror comes from
 * {@code registration}, the server from {@code connection}, start and stop from
 * {@code lifecycle}, and messages about mistakes from {@code diagnosis}. Spring calls
 * them while the context starts.
 */
@NullMarked
package dev.reflector.autoconfigure;

import org.jspecify.annotations.NullMarked;
