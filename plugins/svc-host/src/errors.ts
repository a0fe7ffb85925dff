/** Every error svc-host answers with. Problems of a start are `BootError`s, with codes where they are found. */
import { expectedError } from 'svc-kernel'

/** 400: the request is no HTTP/1.1, or names no host. Fix: correct the client. */
export const NoHost = expectedError('SVC_HTTP_400', 'the request names no host', 400)
