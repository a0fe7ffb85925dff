/**
 * Identities of open WebSockets whose authenticator brings no `liveness`: they are checked again by their subject. Where the
 * application keeps no accounts there is nobody to ask: such a socket ends after a time of its zone, and the boot warns.
 */
import type { FastifyBaseLogger } from 'fastify'
import { ANONYMOUS, type Clock, type Problem } from 'svc-kernel'
import { warnProblem } from 'svc-kernel/plugin'
import type { UserSource } from '../users/user-source.ts'
import { ANONYMOUS_NAME, type NamedAuthenticator } from './authenticators/authenticator.ts'
import type { RouteReport } from './firewall.ts'
import { BoundedRevalidation } from './revalidation/bounded-revalidation.ts'
import { SubjectRevalidation, type SubjectSources } from './revalidation/subject-revalidation.ts'
import type { ZoneParts } from './zone-authentication.ts'
import type { Zone } from './zones/zone-map.ts'

const MORE = 'npx svc docs open-sockets'

export interface SocketSources {
  /** `null` where the application keeps no accounts. */
  readonly accounts: { readonly users: UserSource; readonly tokens: SubjectSources['tokens'] } | null
  readonly clock: Pick<Clock, 'now'>
  readonly log: FastifyBaseLogger
}

export function revalidationOfOthers({ accounts, clock, log }: SocketSources): ZoneParts['revalidationOf'] {
  const warned = new Set<string>()
  return (authenticator, token, { uncheckedSocketS: limit }) => {
    if (token.user === ANONYMOUS) return null
    const now = clock.now()
    if (accounts === null) return new BoundedRevalidation(token, limit === 0 ? null : now + limit * 1000)
    const stranger = () => {
      if (warned.has(authenticator)) return
      warned.add(authenticator)
      warnProblem(log, strangers(authenticator))
    }
    return new SubjectRevalidation(token, now, { ...accounts, stranger })
  }
}

/** One warning per authenticator, where a WebSocket route lies in a zone that takes its proof. */
export function socketLints(
  zones: readonly Zone[],
  routes: readonly RouteReport[],
  authenticators: ReadonlyMap<string, NamedAuthenticator>,
  users: UserSource | null
): Problem[] {
  if (users !== null) return []
  const reached = new Set(
    routes
      .filter(({ transports, anonymous, bypassFirewall }) => {
        return transports.includes('WEBSOCKET') && !anonymous && !bypassFirewall
      })
      .map(({ zone }) => zone)
  )
  const names = zones
    .filter(({ name, realtime }) => realtime && reached.has(name))
    .flatMap((zone) => zone.authenticators.map((name) => ({ name, zone })))
  return [...new Map(names.map((each) => [each.name, each])).values()]
    .filter(({ name }) => name !== ANONYMOUS_NAME && authenticators.get(name)?.authenticator.liveness === undefined)
    .map(({ name, zone }) => unwatched(name, zone))
}

function unwatched(name: string, { name: zone, uncheckedSocketS: limit }: Zone): Problem {
  const end = limit === 0 ? 'keeps its identity until it closes, also after a revocation' : `is closed after ${limit} s`
  return {
    code: 'SVC_SEC_NO_LIVENESS',
    message: `a WebSocket that "${name}" authenticated ${end}, unless its token has an expiresAt`,
    at: `authenticator ${name}`,
    got: 'no liveness(), and no accounts to look the subject up in',
    fix: `add liveness(ctx, token) to ${name}, set parts.users, or set areas.${zone}.uncheckedSocketS`,
    more: MORE
  }
}

function strangers(name: string): Problem {
  return {
    code: 'SVC_SEC_SUBJECT_UNKNOWN',
    message: `a WebSocket was closed: the subject that "${name}" authenticated is not a user of this application`,
    at: `authenticator ${name}`,
    got: 'no liveness(), and no such user',
    fix: `add liveness(ctx, token) to ${name}, which tells whether the credential is still valid`,
    more: MORE
  }
}
