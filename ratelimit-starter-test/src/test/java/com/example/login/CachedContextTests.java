package com.example.login;

/**
 * The same tests on the same application context, which the other class has left used up.
 */
class CachedContextTests extends ResetTests {

}
