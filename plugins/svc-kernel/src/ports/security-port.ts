/** What svc-security decides for other plugins: `fastify.jury`, and the gates before mutations, `fastify.gates`. */
import type { onSendHookHandler, preHandlerHookHandler, preParsingHookHandler } from 'fastify'
import type { AccessToken } from '../identity/identity.ts'
import type { RequiredProof } from '../identity/required-proof.ts'

/** A decision with every vote that was cast, in order. */
export interface JuryExplanation {
  readonly granted: boolean
  /** `null` exactly when granted. */
  readonly reason: string | null
  readonly votes: readonly {
    readonly voter: string
    /** `GRANT`, `DENY`, `ABSTAIN`, or `ERROR` for a voter that failed. */
    readonly vote: string
    readonly reason?: string
  }[]
}

/** `fastify.jury`: present when svc-security is registered. */
export interface JuryPort {
  /** One attribute, one verdict; `false` for every refusal (spec, "Authorization", 1). */
  decide(token: AccessToken | null, attribute: string, subject?: unknown): boolean | Promise<boolean>
  /** A dry run of `decide`: nothing is recorded. */
  explain(token: AccessToken | null, attribute: string, subject?: unknown): Promise<JuryExplanation>
}

/**
 * The gates before mutations, as other plugins see them: `fastify.gates` of
 * svc-security, switched off where it keeps no accounts (`decoratorOf` says so). They
 * come after the guard and before the handler.
 */
export interface GatesPort {
  /** Route option `preParsing`: a change made with a browser's session needs its proof; else 403. */
  readonly csrf: preParsingHookHandler
  /** Route option `preParsing` of a route that bypasses the firewall: the session of a user who may act; else 401. */
  readonly session: preParsingHookHandler
  /** Route option `preParsing`, behind `session`: its user was proven a short while ago; else 403. */
  readonly recentProof: preParsingHookHandler
  readonly rights: RightsPort
  /** Route options `preHandler` and `onSend`: an `Idempotency-Key` makes a repeated request answer alike. */
  readonly idempotency: { readonly preHandler: preHandlerHookHandler; readonly onSend: onSendHookHandler }
}

/** What of a user says whether they administer. */
interface Leaving {
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly locked: boolean
}

/** What a route asks that gives roles to others, or takes a user away. */
export interface RightsPort {
  /** For `config.proof` of the route; `null` for nothing. */
  readonly proof: RequiredProof | null
  /** @throws BeyondOwnRights (403) for roles that a machine may not give, UnknownRole (400) */
  check(token: AccessToken | null, roles: readonly string[]): void
  /** @throws LastAdministrator (409) for a user without whom nobody could administer the application */
  checkLeaving(user: Leaving): Promise<void>
}
