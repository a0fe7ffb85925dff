/** The codes of the client itself, of calls that no route answered. */
export interface ProblemCodes {
  /** thrown: the server cannot be reached, or the connection broke. Fix: read `cause`; check `baseUrl`. */
  SVC_CLIENT_NETWORK: true
  /** thrown: the `signal` of the call was aborted. Fix: nothing. */
  SVC_CLIENT_ABORTED: true
  /** thrown: the server did not answer within `timeoutMs`. Fix: raise it for slow routes. */
  SVC_CLIENT_TIMEOUT: true
  /** thrown: an answer says that it is JSON, and is not. Fix: look at what answers under this address. */
  SVC_CLIENT_ANSWER: true
  /** thrown: an error without a code, such as that of a proxy or of a server without svc. Fix: read `status` and `data`. */
  SVC_CLIENT_STATUS: true
  /**
   * thrown: the socket is closed, or does not open and a plain request does not tell why. Fix: open another one, unless its
   * code says that the identity is over.
   */
  SVC_CLIENT_CLOSED: true
}
