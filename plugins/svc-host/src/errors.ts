/** Every error svc-host answers with. Problems of a start are `BootError`s, with codes where they are found. */
import { createError } from '@fastify/error'

export const NoHost = createError('SVC_HTTP_400', 'the request names no host', 400, Error, false)
