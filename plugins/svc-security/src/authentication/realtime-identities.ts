/**
 * The identities of the WebSockets of a zone, as the firewall resolved them at the handshake: no credential is read again.
 * Each check renews what an identity may: its subject stays, its roles are those of the last check. One instance per zone.
 */
import type { AccessToken, Clock } from 'svc-kernel'
import { adoptAccessToken, withTraits } from 'svc-kernel/plugin'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { AuthenticationContext } from './authenticators/authenticator.ts'
import { RevalidatedIdentity } from './revalidation/revalidated-identity.ts'
import type { Revalidation } from './revalidation/revalidation.ts'

export interface RealtimeParts {
  readonly clock: Clock
  readonly windowMs: number
  readonly timeoutMs: number
  readonly journal: SecurityJournal
  /** Whether a login lacks a factor that it needs, such as for a role that it was given meanwhile. */
  readonly lacksFactor: (token: AccessToken) => boolean
  /** How the proofs of this identity are checked again. */
  readonly revalidationsOf: (ctx: AuthenticationContext) => readonly Revalidation[]
}

export class RealtimeIdentities {
  readonly #parts: RealtimeParts
  /** True while checks find no answer: logged once, not by each socket. */
  #blind = false

  constructor(parts: RealtimeParts) {
    this.#parts = parts
  }

  /** From here on each message checks whether the proof still holds. @param token of the handshake */
  watch(ctx: AuthenticationContext, token: AccessToken): void {
    const { clock, windowMs, timeoutMs, journal, lacksFactor, revalidationsOf } = this.#parts
    const revalidations = revalidationsOf(ctx)
    if (revalidations.length === 0) return
    const { request } = ctx
    request.liveIdentity = new RevalidatedIdentity(revalidations, {
      clock,
      windowMs,
      timeoutMs,
      unavailable: (error) => {
        if (this.#blind) return
        this.#blind = true
        journal.mishap('the identities of open WebSockets cannot be checked again', error, request)
      },
      answered: () => {
        this.#blind = false
      },
      renewed: (given, carries) => {
        const now = adoptAccessToken(given)
        if (now === null || now.getUserIdentifier() !== token.getUserIdentifier()) return false
        if (carries) {
          const admitted = now.proof === token.proof ? now : withTraits(now, { proof: token.proof })
          if (lacksFactor(admitted)) return false
          request.token = admitted
          request.user = request.token.user
        }
        return true
      },
      refused: () => {
        const event = { category: 'ws', action: 'frame.denied', outcome: 'denied', reason: 'identity_over' } as const
        const resource = request.routeOptions.url ?? null
        journal.done({ ...event, actor: token.getUserIdentifier(), resource }, request)
      }
    })
  }
}
