/**
 * An application whose objects have values that its enums do not contain. The guide shows
 * some of its code.
 */
package com.example.tickets;
