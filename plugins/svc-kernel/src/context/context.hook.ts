/** The first hook of every request: enters the ambient context. Synchronous, so that nothing runs outside of it. */
import type { onRequestHookHandler } from 'fastify'
import { runInContext } from './request-context.ts'

export const enterContext: onRequestHookHandler = function enterContext(request, _reply, done) {
  runInContext(request, done)
}
