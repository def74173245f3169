package dev.ratelimit.web.servlet.outcome;

/**
 * Notified of the outcome of one request.
 */
public interface OutcomeListener {

	/**
	 * The status is final. Called once, on a thread that is about to send the response.
	 * @param status the status
	 */
	void settled(int status);

	/**
	 * Another status replaces one that was set. Called before the status is final.
	 * @param status the status that was set
	 */
	void replaced(int status);

	/**
	 * Asynchronous work cannot end as it would have, as its client has left.
	 */
	void clientLeft();

}
