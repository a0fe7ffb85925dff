/**
 * Authenticates the requests of one zone, in mode `first` or `all`. The authenticator that supports a request decides
 * it: a failed credential never falls through to the next authenticator, nor to `anonymous`. Synchronous until an
 * authenticator returns a promise.
 */
import type { IncomingMessage } from 'node:http'
import {
  type AccessToken,
  ANONYMOUS,
  ANONYMOUS_TOKEN,
  type Clock,
  type MaybePromise,
  requestChannels,
  type SecurityScheme
} from 'svc-kernel'
import { adoptAccessToken, andThen, isThenable, type ProofKind, proofKinds, withTraits } from 'svc-kernel/plugin'
import { AmbiguousCredentials, NoIdentity } from '../errors.ts'
import { readableError } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { withDeadline } from '../promises/deadline.ts'
import { ANONYMOUS_NAME, type AuthenticationContext, type NamedAuthenticator } from './authenticators/authenticator.ts'
import { type Refusal, refusalOf, unauthenticated } from './refusal.ts'
import type { Revalidation } from './revalidation/revalidation.ts'
import type { Zone } from './zones/zone-map.ts'

export type Admission = AccessToken | Refusal

const { admission: admissions } = requestChannels

export interface ZoneParts {
  readonly journal: SecurityJournal
  readonly clock: Clock
  readonly timeoutMs: number
  /** How the credential of an authenticator without `liveness` is checked again; `null`: not at all. */
  readonly revalidationOf: (authenticator: string, token: AccessToken, zone: Zone) => Revalidation | null
}

/** An authenticator of a zone, and the kind of proof that it produces. */
interface Link extends NamedAuthenticator {
  readonly kindOf: (tokenType: string) => ProofKind
}

/** What an authenticator of a zone declares about its credentials. */
export interface ZoneProof {
  readonly authenticator: string
  /** The type of its tokens. */
  readonly token: string
  readonly proof: ProofKind
  readonly openapi: SecurityScheme | null
}

export class ZoneAuthentication {
  readonly zone: Zone
  readonly #authenticators: readonly Link[]
  readonly #journal: SecurityJournal
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #revalidationOf: ZoneParts['revalidationOf']
  /** For upgrades only: which authenticator accepted which credential, in order. */
  readonly #proofs = new WeakMap<AuthenticationContext, Array<{ named: Link; token: AccessToken }>>()

  /** When an admission began, by the time of the process; only while somebody observes. */
  readonly #began = new WeakMap<AuthenticationContext, number>()

  constructor(zone: Zone, authenticators: readonly NamedAuthenticator[], parts: ZoneParts) {
    this.zone = zone
    this.#authenticators = authenticators.map((named) => ({ ...named, kindOf: proofKinds(named.authenticator) }))
    this.#journal = parts.journal
    this.#clock = parts.clock
    this.#timeoutMs = parts.timeoutMs
    this.#revalidationOf = parts.revalidationOf
  }

  /** Never throws or rejects; it always settles. */
  authenticate(ctx: AuthenticationContext): MaybePromise<Admission> {
    if (admissions.hasSubscribers) this.#began.set(ctx, performance.now())
    if (this.zone.takesCredentials && hasTwoAuthorizations(ctx.request.raw)) {
      return this.#refuse(ctx, null, new AmbiguousCredentials())
    }
    const admission = this.zone.mode === 'all' ? this.#all(ctx, 0, null) : this.#first(ctx, 0)
    if (!isThenable(admission)) return admission
    return withDeadline(admission, this.#timeoutMs, this.#clock, (error) => this.#refuse(ctx, null, error))
  }

  /** In the order in which they are tried. */
  get proofs(): readonly ZoneProof[] {
    return this.#authenticators.map(({ name, authenticator, kindOf }) => {
      const { tokenType: token = name, openapi = null } = authenticator
      return { authenticator: name, token, proof: kindOf(token), openapi }
    })
  }

  /** The challenge of a 401: that of the first authenticator that declares one. */
  challenge(ctx: AuthenticationContext): string | null {
    for (const { name, authenticator } of this.#authenticators) {
      try {
        const challenge: unknown = authenticator.challenge?.()
        if (typeof challenge === 'string' && /^[\x20-\x7e]+$/.test(challenge)) return challenge
      } catch (error) {
        this.#journal.mishap(`the challenge of authenticator ${name} failed`, error, ctx.request)
      }
    }
    return null
  }

  #first(ctx: AuthenticationContext, from: number): MaybePromise<Admission> {
    const named = this.#authenticators[from]
    if (named === undefined) return this.#unclaimed(ctx)
    try {
      const claims = named.authenticator.supports(ctx)
      if (isThenable(claims)) {
        const later = Promise.resolve(claims).then((yes) =>
          yes ? this.#prove(ctx, named) : this.#first(ctx, from + 1)
        )
        return this.#settled(ctx, named, later)
      }
      if (!claims) return this.#first(ctx, from + 1)
      const token = this.#prove(ctx, named)
      return isThenable(token) ? this.#settled(ctx, named, token) : token
    } catch (error) {
      return this.#refuse(ctx, named, error)
    }
  }

  #all(ctx: AuthenticationContext, from: number, proven: AccessToken | null): MaybePromise<Admission> {
    const named = this.#authenticators[from]
    if (named === undefined) return proven ?? unauthenticated()
    return this.#guarded(ctx, named, () =>
      andThen<boolean, Admission>(named.authenticator.supports(ctx), (claims) =>
        claims
          ? andThen<AccessToken, Admission>(this.#prove(ctx, named), (token) => this.#agree(ctx, from, proven, token))
          : this.#unclaimed(ctx)
      )
    )
  }

  /** Two credentials of two subjects identify neither. */
  #agree(ctx: AuthenticationContext, from: number, proven: AccessToken | null, token: AccessToken) {
    if (proven !== null && proven.getUserIdentifier() !== token.getUserIdentifier()) throw new NoIdentity()
    return this.#all(ctx, from + 1, token)
  }

  /** The authenticator whose credential opened a WebSocket. Kept for upgrades only. */
  proverOf(ctx: AuthenticationContext): string | null {
    return this.#proofs.get(ctx)?.at(-1)?.named.name ?? null
  }

  /** How to check the credentials of an upgrade again: that of the deciding authenticator, or all in mode `all`. */
  revalidationsOf(ctx: AuthenticationContext): Revalidation[] {
    const proofs = this.#proofs.get(ctx) ?? []
    return proofs
      .map(
        ({ named, token }) =>
          named.authenticator.liveness?.(ctx, token) ?? this.#revalidationOf(named.name, token, this.zone)
      )
      .filter((revalidation) => revalidation !== null)
  }

  #keepProof(ctx: AuthenticationContext, named: Link, token: AccessToken): void {
    const kept = this.#proofs.get(ctx) ?? []
    kept.push({ named, token })
    this.#proofs.set(ctx, kept)
  }

  /** Three steps without a closure between them, because every authenticated request runs this. */
  #prove(ctx: AuthenticationContext, named: Link): MaybePromise<AccessToken> {
    const credential: unknown = named.authenticator.createToken(ctx)
    if (!isThenable(credential)) return this.#verify(ctx, named, credential)
    return Promise.resolve(credential).then((settled) => this.#verify(ctx, named, settled))
  }

  #verify(ctx: AuthenticationContext, named: Link, credential: unknown): MaybePromise<AccessToken> {
    const proof: unknown = named.authenticator.authenticate(credential)
    if (!isThenable(proof)) return this.#accept(ctx, named, proof)
    return Promise.resolve(proof).then((settled) => this.#accept(ctx, named, settled))
  }

  #accept(ctx: AuthenticationContext, named: Link, proof: unknown): MaybePromise<AccessToken> {
    const token = this.#adopt(named, proof)
    if (admissions.hasSubscribers) this.#publish(ctx, named.name, 'accepted', token.type, null)
    if (ctx.transport === 'websocket') this.#keepProof(ctx, named, token)
    const notified: unknown = named.authenticator.onSuccess?.(ctx, token)
    return isThenable(notified) ? Promise.resolve(notified).then(() => token) : token
  }

  /**
   * An unauthenticated token counts only if the zone lists `anonymous`. The authenticator determines the kind of
   * proof, whatever the proof itself says.
   */
  #adopt({ kindOf }: Link, proof: unknown): AccessToken {
    const token = adoptAccessToken(proof)
    if (token === null) throw new NoIdentity()
    if (token === ANONYMOUS_TOKEN && this.zone.admitsAnonymous) return token
    const unproven = token.type === ANONYMOUS_NAME || token.user === ANONYMOUS
    if (unproven && !this.zone.admitsAnonymous) throw new NoIdentity()
    const kind = kindOf(token.type)
    return token.proof === kind ? token : withTraits(token, { proof: kind })
  }

  #guarded(ctx: AuthenticationContext, named: Link, work: () => MaybePromise<Admission>) {
    try {
      const admission = work()
      return isThenable(admission) ? this.#settled(ctx, named, admission) : admission
    } catch (error) {
      return this.#refuse(ctx, named, error)
    }
  }

  #settled(ctx: AuthenticationContext, named: Link, admission: Promise<Admission>): Promise<Admission> {
    return admission.then(undefined, (error: unknown) => this.#refuse(ctx, named, error))
  }

  #unclaimed(ctx: AuthenticationContext): Refusal {
    this.#journal.proofMissing(this.zone.name, ctx.request)
    if (admissions.hasSubscribers) this.#publish(ctx, null, 'unclaimed', null, 'no_proof')
    return unauthenticated()
  }

  #refuse(ctx: AuthenticationContext, named: Link | null, error: unknown): Refusal {
    const refusal = refusalOf(error)
    const failure = { zone: this.zone.name, authenticator: named?.name ?? null, status: refusal.status, error }
    this.#journal.authenticationFailed(failure, ctx.request)
    if (admissions.hasSubscribers) {
      const { reason, code, type } = readableError(error, false)
      this.#publish(ctx, failure.authenticator, 'refused', null, reason ?? code ?? type)
    }
    if (named !== null) this.#notifyFailure(ctx, named, error)
    return refusal
  }

  #publish(
    ctx: AuthenticationContext,
    authenticator: string | null,
    outcome: 'accepted' | 'refused' | 'unclaimed',
    tokenType: string | null,
    reason: string | null
  ): void {
    const now = performance.now()
    const durationMs = now - (this.#began.get(ctx) ?? now)
    const { request } = ctx
    admissions.publish({ request, zone: this.zone.name, authenticator, outcome, tokenType, reason, durationMs })
  }

  #notifyFailure(ctx: AuthenticationContext, { name, authenticator }: Link, error: unknown): void {
    const failed = (cause: unknown) =>
      this.#journal.mishap(`onFailure of authenticator ${name} failed`, cause, ctx.request)
    try {
      const notified: unknown = authenticator.onFailure?.(ctx, error)
      if (isThenable(notified)) notified.then(undefined, failed)
    } catch (cause) {
      failed(cause)
    }
  }
}

const AUTHORIZATION = 'authorization'

/** Node silently keeps the first of several `Authorization` headers; another hop may keep the last. */
function hasTwoAuthorizations({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  // An injected upgrade request of @fastify/websocket is a plain object without raw headers.
  if (rawHeaders === undefined) return false
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count += 1
  }
  return count > 1
}
