/**
 * Tests of writes over real sockets, with the embedded API server.
 */
package dev.reflector.write;
