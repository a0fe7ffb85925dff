/**
 * A WebSocket whose proof cannot be checked again: its authenticator has no `liveness`, and the application keeps no
 * accounts to look the subject up in. It ends with its token, or a while after the handshake, and the caller proves itself again.
 */
import type { AccessToken } from 'svc-kernel'
import { expiryOf, type Revalidation } from './revalidation.ts'

export class BoundedRevalidation implements Revalidation {
  readonly #end: number | null

  /** @param end epoch ms, where the token says none; `null`: not at all */
  constructor(token: AccessToken, end: number | null) {
    this.#end = expiryOf(token) ?? end
  }

  endsAt(): number | null {
    return this.#end
  }

  check(): boolean {
    return true
  }
}
