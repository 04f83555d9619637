/**
 * The auto-configurations, their properties, and the beans with which an application
 * customizes them. The auto-configurations combine the packages below:
 * {@code registration} defines what to mirror, {@code connection} finds the server,
 * {@code lifecycle} starts and stops the reflectors, and {@code diagnosis} reports
 * mistakes. Spring calls the auto-configurations while the context starts.
 */
@NullMarked
package dev.reflector.autoconfigure;

import org.jspecify.annotations.NullMarked;
