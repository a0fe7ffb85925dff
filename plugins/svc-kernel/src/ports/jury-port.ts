/** The jury as other plugins see it: `fastify.jury`, present when svc-security is registered. */
import type { AccessToken } from '../identity/access-token.ts'

export interface JuryPort {
  /** One attribute, one verdict; `false` for every refusal (spec, "Authorization", 1). */
  decide(token: AccessToken | null, attribute: string, subject?: unknown): boolean | Promise<boolean>
}
