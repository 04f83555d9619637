/**
 * Mirrors of the model classes that other clients bring.
 */
package dev.reflector.models;
