package dev.reflector.integration;

/**
 * Brings a fault about.
 */
@FunctionalInterface
interface FaultProvocation {

	void provoke(FaultStage stage) throws Exception;

}
