/**
 * Every error that svc-host answers with. Problems of the boot are `BootError`s, whose codes are in problem-codes.ts.
 */
import { expectedError } from 'svc-kernel/plugin'

/** 400: the request is not valid HTTP/1.1, or has no `Host` header. Fix: correct the client. */
export const NoHost = expectedError('SVC_HTTP_400', 'the request has no Host header', 400)
