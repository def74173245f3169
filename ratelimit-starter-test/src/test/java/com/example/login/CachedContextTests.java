package com.example.login;

/**
 * The same tests on the same application context, whose limits the other class has used
 * up.
 */
class CachedContextTests extends ResetTests {

}
