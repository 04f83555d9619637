/**
 * Reads objects of a cluster-scoped type. The guide shows it.
 */
package com.example.nodes;
