package dev.ratelimit.web.servlet.outcome;

/**
 * Is notified of the two moments of a response at which permits are settled.
 */
public interface OutcomeListener {

	/**
	 * The response is about to be sent. Called once, on the thread that is about to send
	 * it: its client sees nothing before this returns.
	 * @param status its status
	 */
	void aboutToBeSent(int status);

	/**
	 * The application has written the last byte, or will write none. Called behind the
	 * other one, and once more where asynchronous work ended in a dispatch.
	 */
	void complete();

}
