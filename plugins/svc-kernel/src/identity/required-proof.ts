/** What a route asks of the proof behind the identity of its caller. */

/** `any`: a second factor, whichever; a passkey counts as one, and a login at a provider whose factor is accepted. */
export type FactorName = 'totp' | 'passkey' | 'any'

/** What a route asks of the proof, in its `config.proof`. Both together are one AND. */
export interface RequiredProof {
  /** How old the login or the last confirmation may be, in seconds. */
  readonly maxAgeS?: number
  readonly factor?: FactorName
  /** `true` admits API keys and other machines, whose tokens name no login. */
  readonly machines?: boolean
}
