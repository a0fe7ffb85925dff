/**
 * Headers that tell a browser what not to do with an answer of a plugin's own route: guess its type, show it in a frame,
 * keep it; and over https in production, ask for this host without TLS again. What an answer has already, by its route or
 * by a plugin such as @fastify/helmet, stays. Other routes of the application cost nothing.
 */
import type { FastifyReply, onSendHookHandler, RouteOptions } from 'fastify'
import type { RouteSecurity } from '../access/requirement.ts'
import { inProduction } from '../plugin/app-host.ts'

/** A year, in seconds: the least that ASVS 3.4.1 takes. */
const HSTS = 'max-age=31536000'

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['content-security-policy', "frame-ancestors 'none'"],
  ['cache-control', 'no-store']
]

const protectAnswer: onSendHookHandler<unknown> = function protectAnswer(request, reply, payload, done) {
  for (const [name, value] of HEADERS) {
    if (name !== 'x-frame-options' || !listsFrames(reply)) setUnlessThere(reply, name, value)
  }
  if (request.protocol === 'https' && inProduction(request.server)) {
    setUnlessThere(reply, 'strict-transport-security', HSTS)
  }
  done(null, payload)
}

/** `X-Frame-Options` has no words for origins: an answer that lists those which may frame it goes without. */
function listsFrames(reply: FastifyReply): boolean {
  return /frame-ancestors (?!'none')/.test(String(reply.getHeader('content-security-policy') ?? ''))
}

function setUnlessThere(reply: FastifyReply, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value)
}

/** For `onRoute`: names that begin with `svc.` are those of plugins, see `routeSecurity`; administrators' routes count as such. */
export function protectOwnAnswers(route: RouteOptions): void {
  const { name = '', requirement = null }: Partial<RouteSecurity> = route.config?.svc ?? {}
  const isAdministrators = requirement?.[0]?.some(({ attribute }) => attribute === 'ROLE_SVC_ADMIN') === true
  if (!name.startsWith('svc.') && !isAdministrators) return
  const others = route.onSend === undefined ? [] : [route.onSend].flat()
  if (!others.includes(protectAnswer)) route.onSend = [...others, protectAnswer]
}
