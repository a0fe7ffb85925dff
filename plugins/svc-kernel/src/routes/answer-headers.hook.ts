/**
 * Headers that tell a browser what not to do with an answer of a plugin's own route: guess its type, show it in a frame,
 * keep it; and over https in production, ask for this host without TLS again. What an answer has already, by its route or
 * by a plugin such as @fastify/helmet, stays. Routes of the application are left alone, and cost nothing.
 */
import type { FastifyReply, onSendHookHandler, RouteOptions } from 'fastify'
import { inProduction } from '../plugin/app-host.ts'

/** Half a year, in seconds. */
const HSTS = 'max-age=15552000'

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['content-security-policy', "frame-ancestors 'none'"],
  ['cache-control', 'no-store']
]

const protectAnswer: onSendHookHandler<unknown> = function protectAnswer(request, reply, payload, done) {
  for (const [name, value] of HEADERS) setUnlessThere(reply, name, value)
  if (request.protocol === 'https' && inProduction(request.server)) {
    setUnlessThere(reply, 'strict-transport-security', HSTS)
  }
  done(null, payload)
}

function setUnlessThere(reply: FastifyReply, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value)
}

/** For `onRoute`: names that begin with `svc.` are those of plugins, see `routeSecurity`. */
export function protectOwnAnswers(route: RouteOptions): void {
  if (route.config?.svc?.name.startsWith('svc.') !== true) return
  const others = route.onSend === undefined ? [] : [route.onSend].flat()
  if (!others.includes(protectAnswer)) route.onSend = [...others, protectAnswer]
}
