/**
 * Proofs of possession (RFC 9449): a request shows that its caller holds a key, by a token signed with it for this very
 * method and URL, once. Everything but "once" is checked at once and without a store; that comes last, when the access or
 * refresh token holds too, so that strangers write nothing.
 */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { ReplayGuard } from '../idempotency/replay-guard.ts'
import { refusedFor } from '../journal/audit-writer.ts'
import type { DpopNonces } from './dpop-nonces.ts'
import { DpopNonceDue, InvalidDpopProof } from './errors.ts'
import { type ProofKey, readProofKey } from './proof-key.ts'
import { targetOf, targetsOf } from './target-uri.ts'

/** The header that brings a proof. */
export const DPOP_HEADER = 'dpop'

/** The header that brings a nonce of the server. */
export const DPOP_NONCE_HEADER = 'dpop-nonce'

/** A longer one is refused unread. */
const MAX_PROOF_LENGTH = 4096

/** How old a proof may be, and how far the clock of its caller may be ahead (FAPI 2.0, 5.3.2.1). */
const MAX_AGE_MS = 60_000
const MAX_AHEAD_MS = 10_000

/** Keys that were proven, by the header of their proofs, which is always the same. */
const MOST_KEYS = 1000

/** A proof that holds for its request. */
export interface DpopProof {
  /** Thumbprint of the key (RFC 7638, SHA-256, base64url): the `jkt` of what is bound to it. */
  readonly jkt: string
  /** Uses the proof up. @throws InvalidDpopProof where it was used before; AuthenticationUnavailable (503) */
  use(): Promise<void>
}

export interface DpopParts {
  readonly clock: Pick<Clock, 'now'>
  readonly replays: Pick<ReplayGuard, 'claim'>
  /** `null` where the age of a proof is what its caller says. */
  readonly nonces: DpopNonces | null
  /** For how long a nonce is given out, in milliseconds. */
  readonly nonceLifeMs: number
  readonly toleranceMs: number
  /** Public origins of the application; none: that of the request. */
  readonly origins: readonly string[]
}

export class DpopProofs {
  readonly #parts: DpopParts
  readonly #keys = new Map<string, ProofKey>()

  constructor(parts: DpopParts) {
    this.#parts = parts
  }

  /** What a caller puts into its next proof; `null` where none is asked for. */
  nonce(): string | null {
    const { nonces, clock } = this.#parts
    return nonces?.current(clock.now()) ?? null
  }

  /**
   * The proof of a request.
   *
   * @param accessToken that it comes with; `null` where it asks for one
   * @throws InvalidDpopProof with the true cause as `reason`; DpopNonceDue with the nonce as header
   */
  of(request: FastifyRequest, accessToken: string | null): DpopProof {
    const proof = request.headers[DPOP_HEADER]
    // Of two headers Node makes one, parted by a comma.
    if (typeof proof !== 'string') throw proofRefused('missing')
    if (proof.length > MAX_PROOF_LENGTH) throw proofRefused('length')
    const { jkt, claims } = this.#verify(proof)
    const { jti, htm, htu, ath } = claims
    if (typeof jti !== 'string' || jti === '') throw proofRefused('jti')
    if (htm !== request.method) throw proofRefused('htm')
    const target = typeof htu === 'string' ? targetOf(htu) : null
    if (target === null || !this.#targetsOf(request).includes(target)) throw proofRefused('htu')
    if (accessToken !== null && ath !== hash('sha256', accessToken, 'base64url')) throw proofRefused('ath')
    const lifeMs = this.#freshFor(claims)
    return { jkt, use: () => this.#use(jkt, jti, lifeMs) }
  }

  #verify(proof: string): { jkt: string; claims: Readonly<Record<string, unknown>> } {
    const headerText = proof.slice(0, proof.indexOf('.'))
    const known = this.#keys.get(headerText)
    const key = known ?? readProofKey(headerText)
    if (typeof key === 'string') throw proofRefused(key)
    const claims = verified(key, proof)
    if (known === undefined) this.#remember(headerText, key)
    return { jkt: key.jkt, claims }
  }

  #remember(headerText: string, key: ProofKey): void {
    if (this.#keys.size >= MOST_KEYS) this.#keys.delete(this.#keys.keys().next().value ?? '')
    this.#keys.set(headerText, key)
  }

  /** With nonces it is ours that says how old a proof is: clocks of callers need not be right. @returns how long it could come again */
  #freshFor({ iat, nonce }: Readonly<Record<string, unknown>>): number {
    const { clock, nonces, nonceLifeMs, toleranceMs } = this.#parts
    const now = clock.now()
    if (typeof iat !== 'number' || !Number.isSafeInteger(iat * 1000)) throw proofRefused('iat')
    if (nonces !== null) {
      if (!nonces.holds(nonce, now)) throw this.#nonceDue(nonce === undefined ? 'no_nonce' : 'nonce')
      return 3 * nonceLifeMs
    }
    const age = now - iat * 1000
    if (age > MAX_AGE_MS + toleranceMs) throw proofRefused('old')
    if (age < -MAX_AHEAD_MS - toleranceMs) throw proofRefused('future')
    return MAX_AGE_MS + MAX_AHEAD_MS + 2 * toleranceMs
  }

  async #use(jkt: string, jti: string, lifeMs: number): Promise<void> {
    if (!(await this.#parts.replays.claim([jkt, jti], lifeMs))) throw proofRefused('replayed')
  }

  /** The scheme is that of the socket, or of a trusted proxy; unknown, either passes. */
  #targetsOf(request: FastifyRequest): readonly string[] {
    const { origins } = this.#parts
    const { url = '' } = request.raw
    if (origins.length > 0) return targetsOf(origins, url)
    const { protocol, host } = request as { protocol: string | undefined; host: string }
    const schemes = protocol === undefined ? ['http', 'https'] : [protocol]
    const own = schemes.map((scheme) => `${scheme}://${host}`).filter((origin) => host !== '' && URL.canParse(origin))
    return targetsOf(
      own.map((origin) => new URL(origin).origin),
      url
    )
  }

  #nonceDue(reason: string): Error {
    const headers = { [DPOP_NONCE_HEADER]: this.nonce() }
    return Object.assign(refusedFor(new DpopNonceDue(), reason), { headers })
  }
}

/** A proof that was refused, with its true cause. */
export function proofRefused(reason: string): Error {
  return refusedFor(new InvalidDpopProof(), reason)
}

function verified(key: ProofKey, proof: string): Readonly<Record<string, unknown>> {
  try {
    return key.verify(proof)
  } catch {
    throw proofRefused('signature')
  }
}
