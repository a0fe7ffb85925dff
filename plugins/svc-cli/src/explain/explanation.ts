/** Why a caller gets in, or does not: the way of a request through zone and guard, without making it. */
import type { AccessToken } from 'svc-kernel'
import type { SecurityView, ZoneView } from '../application/security-view.ts'
import { type ClauseAnswer, deliberate, refusalReason } from './deliberation.ts'
import type { FoundRoute } from './find-route.ts'

export interface Caller {
  readonly identifier: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  readonly anonymous: boolean
  readonly token: AccessToken
}

export interface Explanation {
  readonly zone: ZoneView | null
  readonly clauses: readonly ClauseAnswer[]
  readonly decision: 'granted' | 'refused' | 'not found'
  /** The status of a refusal; 404 when no route answers; `null` when the controller answers. */
  readonly status: 401 | 403 | 404 | null
  /** `veto`, `abstain`, `no-voter`, `error`, `no-identity`, `no-proof`; `null` when granted. */
  readonly reason: string | null
  /** What a reader should know about the assumptions made. */
  readonly note: string | null
}

/** @param path as requested, for zones that depend on it */
export async function explainRequest(
  found: FoundRoute | null,
  path: string,
  caller: Caller,
  security: SecurityView | null
): Promise<Explanation> {
  const zone = zoneOf(found, path, security)
  const bare = { zone, clauses: [], note: null }
  if (zone !== null && caller.anonymous && demandsProof(zone)) {
    return { ...bare, decision: 'refused', status: 401, reason: 'no-proof' }
  }
  if (found === null) return { ...bare, decision: 'not found', status: 404, reason: null }
  const { requirement } = found.route
  const note = assumption(zone, caller)
  if (requirement === null) return { ...bare, note, decision: 'granted', status: null, reason: null }
  if (zone === null) {
    const outside = 'no zone holds this route, so no caller has an identity here; name its path in areas'
    return { ...bare, note: outside, decision: 'refused', status: 403, reason: 'no-identity' }
  }
  const clauses = await deliberate(security, caller.token, requirement, found.params)
  const reason = refusalReason(clauses)
  return {
    zone,
    clauses,
    note,
    decision: reason === null ? 'granted' : 'refused',
    status: reason === null ? null : 403,
    reason
  }
}

function zoneOf(found: FoundRoute | null, path: string, security: SecurityView | null): ZoneView | null {
  if (security === null || found?.route.anonymous === true || found?.route.bypassFirewall === true) return null
  return security.zoneOfTarget(path, found === null ? null : security.zoneOf(found.route.path))
}

/** In mode `all` the other authenticators stay mandatory beside `anonymous`. */
function demandsProof({ admitsAnonymous, mode, takesCredentials }: ZoneView): boolean {
  return !admitsAnonymous || (mode === 'all' && takesCredentials)
}

function assumption(zone: ZoneView | null, { anonymous, identifier }: Caller): string | null {
  if (anonymous || zone === null) return null
  if (zone.takesCredentials) return `assumed: ${identifier} has proved who they are, and has exactly these roles`
  return `assumed: no authenticator of zone ${zone.name} can tell who ${identifier} is; a real caller arrives as anonymous`
}
