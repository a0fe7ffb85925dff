/** The codes of svc-realtime that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: `svc-realtime` is registered in a scope that does not contain every route. Fix: wrap the file that
   * registers it in `fastify-plugin`; see docs/guides/fastify-cli.md.
   */
  SVC_REALTIME_NOT_ROOT: true
  /**
   * boot: `svc-realtime` is registered after `svc-decorators`, whose routes then refuse changes over the socket. Fix:
   * register it before `svc-decorators`.
   */
  SVC_REALTIME_LATE: true
  /**
   * boot: an entry of `channels` has neither `requires` nor `anonymous`, has both, or repeats an earlier pattern.
   * Fix: set either `requires`, or `anonymous: true`.
   */
  SVC_REALTIME_LOCK: true
  /**
   * warning: `limits.maxPayload` is above the limit of the WebSocket server. Fix: raise `websocket.maxPayload` of
   * svc-decorators, or lower the limit.
   */
  SVC_REALTIME_PAYLOAD: true
}
