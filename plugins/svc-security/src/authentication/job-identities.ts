/**
 * Who a job runs as: the identity that was proven when it was added, and no more than it may now. Its user is loaded again,
 * and must still be one who may act; what was revoked since, such as the API key behind it, holds no longer. A session that
 * has ended or a token that has expired since does not matter: the work was asked for while they held.
 */
import type { FastifyRequest } from 'fastify'
import { type AccessToken, ANONYMOUS, ANONYMOUS_TOKEN, type Clock, createAccessToken, type Problem } from 'svc-kernel'
import { type CarriedIdentity, type IdentityCarrier, type OperationRun, proofKind } from 'svc-kernel/plugin'
import type { RoleHierarchy } from '../authorization/role-hierarchy.ts'
import { CarriedTooLarge, ForeignCause } from '../errors.ts'
import { checkImpersonatedJob } from '../impersonation/impersonation-gate.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { isUnavailable, orUnavailable } from '../stores/guarded-store.ts'
import { isUsable, type LoadedUser, type UserSource } from '../users/user-source.ts'
import type { AccountServices } from './build-authenticators.ts'
import type { Firewall, RouteReport } from './firewall.ts'
import { demandsProof, type Zone } from './zones/zone-map.ts'

export interface JobIdentityParts {
  readonly firewall: Firewall
  readonly hierarchy: RoleHierarchy
  /** `null`: the application keeps no accounts to look anybody up in. */
  readonly accounts: Pick<AccountServices, 'users' | 'tokens'> | null
  readonly journal: SecurityJournal
  readonly clock: Pick<Clock, 'now'>
}

/** The most that a job takes along of a token, in bytes of JSON. */
const MAX_BYTES = 8192

export class JobIdentities implements IdentityCarrier {
  readonly #parts: JobIdentityParts

  constructor(parts: JobIdentityParts) {
    this.#parts = parts
  }

  /** @throws CarriedTooLarge; ImpersonationReadOnly and ImpersonationOver (403) */
  carry(request: FastifyRequest): CarriedIdentity | null {
    const { token } = request
    if (token === null || token === undefined || token.user === ANONYMOUS) return null
    checkImpersonatedJob(request)
    const { user, proof, getUserIdentifier: _, ...attributes } = token
    const text = JSON.stringify({ askedAt: this.#parts.clock.now(), ...attributes })
    if (Buffer.byteLength(text) > MAX_BYTES) throw new CarriedTooLarge(String(Buffer.byteLength(text)))
    const { carrier, ambient, subject, stepUp } = proof
    // Without a zone no other one takes it.
    const zone = this.#parts.firewall.zoneOfRequest(request)?.name ?? ''
    const carried = JSON.parse(text) as CarriedIdentity['token']
    return {
      user: user.identifier,
      roles: user.roles,
      zone,
      token: carried,
      proof: { carrier, ambient, subject, stepUp }
    }
  }

  /** Sets the identity of a run. @returns the refusal, already journaled; never rejects */
  async admit(zone: Zone, run: OperationRun, request: FastifyRequest): Promise<Error | undefined> {
    run.enter(request)
    try {
      const token = run.identity === null ? this.#nobody(zone) : await this.#again(zone, run.identity, run.job.addedAt)
      request.token = token
      request.user = token.user
      return undefined
    } catch (error) {
      const status = isUnavailable(error) ? 503 : 401
      this.#parts.journal.authenticationFailed({ zone: zone.name, authenticator: null, status, error }, request)
      return error as Error
    }
  }

  #nobody(zone: Zone): AccessToken {
    if (demandsProof(zone))
      throw new ForeignCause(`nobody caused it, and the zone ${zone.name} takes callers with a proof`)
    return ANONYMOUS_TOKEN
  }

  async #again(zone: Zone, identity: CarriedIdentity, addedAt: number): Promise<AccessToken> {
    const { accounts } = this.#parts
    const { user: name, roles } = identity
    if (!this.#takes(zone, identity)) {
      throw new ForeignCause(`the zone ${zone.name} does not take what proved ${name} in the zone ${identity.zone}`)
    }
    if (accounts === null) throw new ForeignCause(`the application has no accounts to look ${name} up in`)
    const user = await orUnavailable(() => accounts.users.findByIdentifier(name))
    if (user === null || user.identifier !== name) throw new ForeignCause(`there is no user ${name}`)
    if (!isUsable(user)) throw new ForeignCause(`the user ${name} is ${user.enabled ? 'locked' : 'disabled'}`)
    const token = tokenOf(identity, this.#roles(user, roles), addedAt)
    // The application that names a user has shown no factor, and needs none.
    const missing = identity.zone === null ? null : this.#parts.firewall.missingFactor(zone, token)
    if (missing !== null)
      throw new ForeignCause(`the login of ${name} has not shown the factor that ${zone.name} needs`)
    if (await this.#isRevoked(accounts, token, addedAt)) {
      throw new ForeignCause(`what proved ${name} was revoked`)
    }
    return token
  }

  /** What proved it there would be taken here: as over a socket, an identity goes no further than its proof. */
  #takes(zone: Zone, { zone: from, token: { type } }: CarriedIdentity): boolean {
    if (from === null || from === zone.name) return true
    const { firewall } = this.#parts
    const origin = firewall.zones.find(({ name }) => name === from)
    if (origin === undefined || zone.mode !== 'first') return false
    const provers = firewall.proofsOf(origin).filter(({ token }) => token === type)
    return provers.length > 0 && provers.every(({ authenticator }) => zone.authenticators.includes(authenticator))
  }

  /** What it might then and may now. */
  #roles({ roles }: LoadedUser, before: readonly string[] | null): readonly string[] {
    return before === null || same(before, roles) ? roles : this.#parts.hierarchy.common(before, roles)
  }

  async #isRevoked({ tokens }: Pick<AccountServices, 'tokens'>, token: AccessToken, addedAt: number): Promise<boolean> {
    if (typeof token.apiKeyId === 'string') return !(await tokens.holds(token))
    const { issuedAt } = token
    return tokens.revokedUntil(token, typeof issuedAt === 'number' ? issuedAt : addedAt)
  }
}

/** Jobs that no caller can run as, as nobody can be looked up. */
export function jobLints(routes: readonly RouteReport[], users: UserSource | null): Problem[] {
  if (users !== null) return []
  return routes
    .filter(({ transports, requirement }) => transports.includes('JOB') && requirement !== null)
    .map(({ name, source }) => ({
      code: 'SVC_SEC_JOB_ACCOUNTS',
      message: `${name} has a guard, and is parked whoever causes it`,
      at: source ?? undefined,
      got: 'no accounts to look the user up in when the job runs',
      fix: 'set parts.users of svc-security, or remove the guard',
      more: 'npx svc docs jobs-on-controllers'
    }))
}

/**
 * The age of its proof is that of when the work was asked for: when its job was added, or the first of those that caused it.
 * Jobs of an older version do not say it.
 */
function tokenOf(
  { user: identifier, token, proof }: CarriedIdentity,
  roles: readonly string[],
  addedAt: number
): AccessToken {
  const { askedAt = addedAt } = token
  return createAccessToken({ ...token, askedAt, user: { identifier, roles }, proof: proofKind(proof, token.type) })
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((role) => others.includes(role))
}
