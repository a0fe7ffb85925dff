/** The codes of svc-realtime that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: `svc-realtime` is registered in a scope that does not hold every route. Fix: wrap the file that registers it
   * in `fastify-plugin`, see docs/guides/fastify-cli.md.
   */
  SVC_REALTIME_NOT_ROOT: true
  /**
   * boot: `svc-realtime` is registered after `svc-decorators`, whose routes then take no changes over the socket. Fix:
   * register it before.
   */
  SVC_REALTIME_LATE: true
  /**
   * boot: an entry of `channels` has no lock, two that contradict each other, or the pattern of an earlier one. Fix:
   * give it either `requires`, or `anonymous: true`.
   */
  SVC_REALTIME_LOCK: true
  /**
   * warning: `limits.maxPayload` is above what the WebSocket server takes. Fix: raise `websocket.maxPayload` of
   * svc-decorators, or lower the limit.
   */
  SVC_REALTIME_PAYLOAD: true
}
