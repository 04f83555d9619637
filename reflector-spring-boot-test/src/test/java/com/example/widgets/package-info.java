/**
 * A small application with tests like those its developers would write. The guide shows
 * some of them.
 */
package com.example.widgets;
