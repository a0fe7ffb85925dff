/** Why a caller gets in, or does not: the way of a request through zone and guard, without making it. */
import { openDemands } from '../access/proof-demand.ts'
import { proofRefusal } from '../access/proof-refusal.ts'
import type { Requirement } from '../access/requirement.ts'
import { type AccessToken, ANONYMOUS_TOKEN, createAccessToken } from '../identity/identity.ts'
import type { ProofKind } from '../identity/proof-kind.ts'
import type { Caller } from './caller.ts'
import { type ClauseAnswer, deliberate, refusalReason } from './deliberation.ts'
import type { FoundRoute } from './find-route.ts'
import type { OrganizationEntry } from './organization-entry.ts'
import type { ProofView, SecurityView, ZoneView } from './security-view.ts'

export interface Outcome {
  readonly decision: 'granted' | 'refused' | 'not found' | 'upgrade required'
  /** The status of a refusal; 404 when no route answers, 426 when only an upgrade does; `null` when the controller answers. */
  readonly status: 401 | 403 | 404 | 426 | null
  /** `proof-due` where proving more is enough; `veto`, `abstain`, `no-voter`, `error`, `no-identity`, `no-proof`, `no-session`, `no-pending-login`, `user_locked`, `no-organization`, `no-member`, ...; `null` when granted. */
  readonly reason: string | null
}

/** What becomes of a caller who arrives with one kind of proof. */
export interface ProofAnswer extends Outcome {
  /** Name of the authenticator; in mode `all`, of all of them; `null` where none is asked. */
  readonly authenticator: string | null
  /** Type of the token it makes. */
  readonly token: string | null
  readonly clauses: readonly ClauseAnswer[]
}

export interface Explanation {
  readonly zone: ZoneView | null
  /** One per authenticator that can come to decide; at least one. */
  readonly proofs: readonly ProofAnswer[]
  /** Of all proofs, where they agree; `null` where it depends on the proof. */
  readonly outcome: Outcome | null
  /** What a reader should know about the assumptions made. */
  readonly note: string | null
}

export interface ExplainedRequest {
  readonly found: FoundRoute | null
  /** As requested, for zones that depend on it. */
  readonly path: string
  /** Whether it asks for an upgrade. */
  readonly socket: boolean
  readonly caller: Caller
  /** At the door of the organisation that the path names; absent or `null` where it names none. */
  readonly enter?: ((token: AccessToken | null) => Promise<OrganizationEntry>) | null
}

export async function explainRequest(request: ExplainedRequest, security: SecurityView | null): Promise<Explanation> {
  const { found, path, caller } = request
  const zone = zoneOf(found, path, security)
  const arrivals = arrivalsOf(request, zone, security)
  const proofs = await Promise.all(arrivals.map((arrival) => answer(arrival, request, security)))
  const [first, ...others] = proofs as [ProofAnswer, ...ProofAnswer[]]
  const agree = others.every(({ status, reason }) => status === first.status && reason === first.reason)
  const { decision, status, reason } = first
  const notes = [arrivalNote(zone, caller, first), caller.note, outsideNote(zone, first)]
  const note = notes.filter((text) => text !== null).join('; ')
  return { zone, proofs, outcome: agree ? { decision, status, reason } : null, note: note === '' ? null : note }
}

interface Arrival {
  readonly authenticator: string | null
  /** `null` where the firewall resolves no identity. */
  readonly token: AccessToken | null
  /** Why the firewall refuses, with 401. */
  readonly refused: string | null
  /** With what it refuses a login that lacks a factor. */
  readonly missing?: Error | null
}

const NOBODY: Arrival = { authenticator: null, token: null, refused: null }

function arrivalsOf(request: ExplainedRequest, zone: ZoneView | null, security: SecurityView | null): Arrival[] {
  if (zone !== null && security !== null) return arrivalsIn(zone, security, request)
  const session = request.found?.route.session ?? null
  if (session === null) return [NOBODY]
  const { anonymous, barred } = request.caller
  const missing = session === 'pending' ? 'no-pending-login' : anonymous ? 'no-session' : null
  return [{ authenticator: 'session', token: null, refused: missing ?? barred }]
}

function arrivalsIn(zone: ZoneView, security: SecurityView, { caller, socket }: ExplainedRequest): Arrival[] {
  const carried = (token: AccessToken): AccessToken | null => (socket && !zone.realtime ? null : token)
  const proofs = caller.anonymous ? [] : zoneProofs(zone, security.proofsOf(zone))
  if (proofs.length === 0) {
    const refused = demandsProof(zone) ? 'no-proof' : null
    const token = refused === null ? carried(ANONYMOUS_TOKEN) : null
    return [{ authenticator: refused === null ? 'anonymous' : null, token, refused }]
  }
  const { identifier, roles, scopes, barred } = caller
  return proofs.map(({ authenticator, token: type, proof, impossible }) => {
    const refused = barred ?? impossible
    const token = createAccessToken({
      type,
      user: { identifier, roles },
      scopes,
      proof,
      ...loginOf(caller, proof)
    })
    const missing = refused === null ? security.missingFactor(zone, token) : null
    return { authenticator, token: refused === null ? carried(token) : null, refused, missing: missing?.error ?? null }
  })
}

/** Any time will do: that of the proof and that of the request are both made up. */
const NOW = 1_000_000_000_000

/** Of what no login is behind, nothing is said. */
function loginOf({ login }: Caller, { subject, stepUp }: ProofKind) {
  if (subject === 'machine' && !stepUp) return { askedAt: NOW }
  return { provenAt: NOW - login.ageS * 1000, factors: login.factors, askedAt: NOW }
}

async function answer(
  arrival: Arrival,
  request: ExplainedRequest,
  security: SecurityView | null
): Promise<ProofAnswer> {
  const { authenticator, token, refused, missing = null } = arrival
  const bare = { authenticator, token: token?.type ?? null, clauses: [] }
  if (refused !== null) return { ...bare, decision: 'refused', status: 401, reason: refused }
  if (missing !== null) return { ...bare, decision: 'refused', status: statusOf(missing), reason: 'proof-due' }
  const { found, enter = null } = request
  if (found === null) return { ...bare, decision: 'not found', status: 404, reason: null }
  const decide = () => decided(arrival, found, request.socket, security)
  if (enter === null) return decide()
  const { within, refusal } = await enter(token)
  const own = within === null ? bare : await within(decide)
  return refusal === null ? (own as ProofAnswer) : { ...own, decision: 'refused', ...refusal }
}

/** What the guard of the route says. */
async function decided(
  { authenticator, token }: Arrival,
  found: FoundRoute,
  socket: boolean,
  security: SecurityView | null
): Promise<ProofAnswer> {
  const bare = { authenticator, token: token?.type ?? null, clauses: [] }
  const { requirement } = found.route
  if (requirement === null) return { ...bare, ...reached(found, socket) }
  if (token === null) return { ...bare, decision: 'refused', status: 403, reason: 'no-identity' }
  const clauses = await deliberate(security, token, requirement, found.params)
  const reason = refusalReason(clauses)
  if (reason !== null) {
    const refusal = stepUpFor(token, requirement, clauses)
    if (refusal === null) return { ...bare, clauses, decision: 'refused', status: 403, reason }
    return { ...bare, clauses, decision: 'refused', status: statusOf(refusal), reason: 'proof-due' }
  }
  return { ...bare, clauses, ...reached(found, socket) }
}

/** As the engine of svc-security decides: whoever lacks nothing but proof is asked to prove more. */
function stepUpFor(token: AccessToken, requirement: Requirement, clauses: readonly ClauseAnswer[]): Error | null {
  const refused = requirement.filter((_, index) => clauses[index]?.granted !== true)
  const open = refused.map((clause) => openDemands(token, clause, NOW))
  return open.length > 0 && open.every(({ length }) => length > 0) ? proofRefusal(token, open.flat()) : null
}

function statusOf(refusal: Error): 401 | 403 {
  return (refusal as { statusCode?: number }).statusCode === 401 ? 401 : 403
}

/** A WEBSOCKET route answers a plain request with 426; one that no controller declared, with 404. */
function reached({ route }: FoundRoute, socket: boolean): Outcome {
  if (socket || route.transports.includes('HTTP')) return { decision: 'granted', status: null, reason: null }
  if (route.name === null) return { decision: 'not found', status: 404, reason: null }
  return { decision: 'upgrade required', status: 426, reason: null }
}

function zoneOf(found: FoundRoute | null, path: string, security: SecurityView | null): ZoneView | null {
  if (security === null || found?.route.anonymous === true || found?.route.bypassFirewall === true) return null
  return security.zoneOfTarget(path, found === null ? null : security.zoneOf(found.route.path))
}

/** In mode `all` the other authenticators stay mandatory beside `anonymous`. */
function demandsProof({ admitsAnonymous, mode, takesCredentials }: ZoneView): boolean {
  return !admitsAnonymous || (mode === 'all' && takesCredentials)
}

function arrivalNote(zone: ZoneView | null, { anonymous, identifier }: Caller, first: ProofAnswer): string | null {
  if (anonymous || (zone === null && first.authenticator === null)) return null
  if (zone === null || first.authenticator !== 'anonymous') return `assumed: ${identifier} is authenticated`
  return `no authenticator of zone ${zone.name} can identify ${identifier}, so the request is anonymous; list one before anonymous`
}

function outsideNote(zone: ZoneView | null, { reason }: ProofAnswer): string | null {
  if (zone !== null || reason !== 'no-identity') return null
  return 'no zone contains this route, so callers have no identity here; add its path to areas'
}

const ANONYMOUS = 'anonymous'

export interface ZoneProof extends ProofView {
  /** Why no request can bring it; `null` where one can. */
  readonly impossible: string | null
}

/**
 * Which tokens a caller can arrive with in a zone: one for each authenticator that can come to decide, as the
 * firewall tries them.
 *
 * @param proofs of the zone, in the order in which they are tried
 * @returns none where only the anonymous visitor gets in
 */
export function zoneProofs({ mode, takesCredentials }: ZoneView, proofs: readonly ProofView[]): ZoneProof[] {
  const anonymousAt = proofs.findIndex(({ authenticator }) => authenticator === ANONYMOUS)
  if (mode === 'first') {
    // `anonymous` claims every request: what follows is never tried.
    const tried = anonymousAt === -1 ? proofs : proofs.slice(0, anonymousAt)
    return tried.map((proof) => ({ ...proof, impossible: null }))
  }
  if (!takesCredentials) return []
  const last = proofs.at(-1)
  const impossible = anonymousAt !== -1 ? 'two_subjects' : formsIn(proofs) > 1 ? 'one_authorization_header' : null
  const authenticator = proofs.map((proof) => proof.authenticator).join(' + ')
  return last === undefined ? [] : [{ ...last, authenticator, impossible }]
}

/** A request has one `Authorization`, in one form; an authenticator that does not describe its form may share it. */
function formsIn(proofs: readonly ProofView[]): number {
  const described = proofs.filter(({ proof, openapi }) => proof.carrier === 'authorization' && openapi !== null)
  return new Set(described.map(({ openapi }) => JSON.stringify({ ...openapi, description: undefined }))).size
}
