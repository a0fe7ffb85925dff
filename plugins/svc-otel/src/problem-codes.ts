/** The codes of svc-otel: problems of the boot, lines of the log. It raises no errors. */
export interface ProblemCodes {
  /**
   * boot: an OpenTelemetry SDK is registered, and its context does not reach the code below a diagnostics channel; every
   * span would begin its own trace. Fix: register a context manager with the SDK, such as `AsyncLocalStorageContextManager`;
   * use a Node of version 24 or later.
   */
  SVC_OTEL_CONTEXT: true
  /** boot: svc-otel is registered in a scope that does not hold every route. Fix: register it on the root instance. */
  SVC_OTEL_NOT_ROOT: true
  /**
   * log: the OpenTelemetry SDK reports an error, such as a collector that it cannot reach; each is logged once. Requests are
   * answered all the same. Fix: read the line; check the address of the collector.
   */
  SVC_OTEL_SDK: true
}
