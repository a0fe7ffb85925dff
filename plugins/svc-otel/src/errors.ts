/** What svc-otel says when it ends a boot. It raises no other error: requests never fail because of it. */
import type { Problem } from 'svc-kernel'

/** A context of OpenTelemetry does not reach the code below a diagnostics channel. */
export const CONTEXT_LOST: Omit<Problem, 'code'> = {
  message: 'the context of OpenTelemetry does not reach the code of requests, so that no span would have a parent',
  at: 'svc-otel',
  got: `no active context below a diagnostics channel, on Node ${process.versions.node}`,
  expected: 'a context manager that is registered with the SDK',
  fix: 'register one: context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())',
  more: 'npx svc docs traces'
}
