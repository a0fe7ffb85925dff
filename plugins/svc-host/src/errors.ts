/** Every error svc-host answers with. Problems of a start are `BootError`s, with codes where they are found. */
import { expectedError } from 'svc-kernel'

/** 400: the request is not valid HTTP/1.1, or has no `Host` header. Fix: correct the client. */
export const NoHost = expectedError('SVC_HTTP_400', 'the request names no host', 400)
