/** The jury as other plugins see it: `fastify.jury`, present when svc-security is registered. */
import type { AccessToken } from '../identity/access-token.ts'

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

export interface JuryPort {
  /** One attribute, one verdict; `false` for every refusal (spec, "Authorization", 1). */
  decide(token: AccessToken | null, attribute: string, subject?: unknown): boolean | Promise<boolean>
  /** A dry run of `decide`, told to nobody. */
  explain(token: AccessToken | null, attribute: string, subject?: unknown): Promise<JuryExplanation>
}
