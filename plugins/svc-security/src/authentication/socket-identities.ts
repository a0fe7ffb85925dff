/**
 * Identities of open WebSockets whose authenticator brings no `liveness`: they are checked again by their subject,
 * and where the application keeps no accounts the boot warns, as nothing can end them before their socket does.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type AccessToken, ANONYMOUS, type Problem, warnProblem } from 'svc-kernel'
import type { UserSource } from '../users/user-source.ts'
import { ANONYMOUS_NAME, type NamedAuthenticator } from './authenticators/authenticator.ts'
import type { RouteReport } from './firewall.ts'
import { SubjectRevalidation } from './revalidation/revalidation.ts'
import type { ZoneParts } from './zone-authentication.ts'
import type { Zone } from './zones/zone-map.ts'

const MORE = 'npx svc-cli docs realtime'

/** @param users `null` where the application keeps no accounts */
export function revalidationBySubject(users: UserSource | null, log: FastifyBaseLogger): ZoneParts['revalidationOf'] {
  const warned = new Set<string>()
  return (authenticator: string, token: AccessToken) => {
    if (token.user === ANONYMOUS || (users === null && typeof token.expiresAt !== 'number')) return null
    return new SubjectRevalidation(token, users, () => {
      if (warned.has(authenticator)) return
      warned.add(authenticator)
      warnProblem(log, strangers(authenticator))
    })
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
    .flatMap((zone) => zone.authenticators)
  return [...new Set(names)]
    .filter((name) => name !== ANONYMOUS_NAME && authenticators.get(name)?.authenticator.liveness === undefined)
    .map(unwatched)
}

function unwatched(name: string): Problem {
  return {
    code: 'SVC_SEC_NO_LIVENESS',
    message: `a WebSocket opened with a proof of "${name}" keeps its identity until it closes, whatever is revoked meanwhile`,
    at: `authenticator ${name}`,
    got: 'no liveness(), and no accounts to look the subject up in',
    fix: `give ${name} a liveness(ctx, token), or the application parts.users; or set realtime: false on the zone`,
    more: MORE
  }
}

function strangers(name: string): Problem {
  return {
    code: 'SVC_SEC_SUBJECT_UNKNOWN',
    message: `a WebSocket was closed: "${name}" proved a subject that is no user of this application`,
    at: `authenticator ${name}`,
    got: 'no liveness(), and no such user',
    fix: `give ${name} a liveness(ctx, token) that says whether its proof still holds`,
    more: MORE
  }
}
