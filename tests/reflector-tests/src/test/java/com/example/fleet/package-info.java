/**
 * An application that does more than one cluster and its events need. The guide shows
 * parts of it.
 */
package com.example.fleet;
