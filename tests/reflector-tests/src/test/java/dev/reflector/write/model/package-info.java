/**
 * Random histories of writes over real sockets, and the rules that each must keep.
 */
package dev.reflector.write.model;
