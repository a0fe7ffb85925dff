/** What svc-security decides for other plugins: `fastify.jury`, and the gates before mutations, `fastify.gates`. */
import type { onSendHookHandler, preHandlerHookHandler, preParsingHookHandler } from 'fastify'
import type { AccessToken } from '../identity/identity.ts'

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
  /** Route options `preHandler` and `onSend`: an `Idempotency-Key` makes a repeated request answer alike. */
  readonly idempotency: { readonly preHandler: preHandlerHookHandler; readonly onSend: onSendHookHandler }
}
