/** Whose budget a request spends. Keys that no administrator should read, or that no store can keep, are hashed. */
import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, type RateLimit } from 'svc-kernel'
import { clientNetwork } from 'svc-kernel/plugin'
import { secretCaller } from '../limiter/limits.ts'

/** @param name of the limit @throws InvalidLimitKey, and what the function of the application throws */
export function callerOf(by: RateLimit['by'], name: string, request: FastifyRequest): string {
  switch (by) {
    case 'address':
      return addressOf(request)
    case 'identity':
      return identityOf(name, request)
    case 'key':
      return keyOf(name, request) ?? identityOf(name, request)
    default:
      return secretCaller(name, by(request))
  }
}

/** Networks of addresses that were asked for last: to read one costs more than all the rest of a limit. */
const networks = new Map<string, string>()

const MAX_NETWORKS = 1000

function addressOf({ ip }: FastifyRequest): string {
  const known = networks.get(ip)
  if (known !== undefined) return known
  if (networks.size === MAX_NETWORKS) networks.clear()
  const caller = `address ${clientNetwork(ip)}`
  networks.set(ip, caller)
  return caller
}

/** Of a caller that nobody has identified, its network. */
function identityOf(name: string, request: FastifyRequest): string {
  const { user } = request
  if (user === null || user === undefined || user === ANONYMOUS) return addressOf(request)
  return shown('identity', name, user.identifier)
}

function keyOf(name: string, { token }: FastifyRequest): string | null {
  const { apiKeyId } = (token ?? {}) as { readonly apiKeyId?: unknown }
  return typeof apiKeyId === 'string' ? shown('key', name, apiKeyId) : null
}

const PLAIN = /^[\x21-\x7e]{1,128}$/

/** Identifiers are chosen by users, and may be long, or hold what no store can keep. */
function shown(kind: string, name: string, text: string): string {
  return PLAIN.test(text) ? `${kind} ${text}` : secretCaller(name, `${kind} ${text}`)
}
