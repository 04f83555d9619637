/**
 * The smallest application that writes a status back.
 */
package dev.reflector.sample.writer;
