/** Tokens as a login or a renewal answers them, and what they are asked for with. */
import type { DpopProof } from '../dpop/dpop-proofs.ts'
import type { Proof } from '../sessions/stored-proof.ts'

/** What an access token is issued for. */
export interface IssueOptions {
  readonly scopes?: readonly string[]
  /**
   * When and by what, such as `request.token` of a session, or `true` for just now. The access token says it, as
   * `auth_time`, `amr` and `acr`; its successors keep it, so a refresh makes no proof younger.
   */
  readonly proven?: boolean | Proof
  /** Binds both tokens to its key, and is used up; see `tokens.dpop.proofOf`. */
  readonly dpop?: DpopProof | null
  /** `aud` of the access token and its successors: the `audience` of a zone. Default: `jwt.audience`. */
  readonly audience?: string | null
}

/** Tokens as a login or a refresh answers them, in clear; svc keeps hashes alone. */
export interface IssuedTokens {
  /** Signed, to be sent as `Authorization: Bearer`, or `DPoP` where it is bound to a key. */
  readonly accessToken: string
  /** Opaque, used once. */
  readonly refreshToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly scopes: readonly string[]
  /** Id of the access token. */
  readonly jti: string
  /** Thumbprint of the key that both are bound to; `null` where they are not. */
  readonly jkt: string | null
}
