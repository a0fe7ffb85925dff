/**
 * How the proof of an open WebSocket is looked at again. The authenticator that
 * proved the identity makes one per socket; for one that makes none, the subject is looked up among the users.
 */

export interface Liveness {
  /** Epoch ms after which the proof cannot hold without a new look; `null` for no such time. */
  endsAt(): number | null
  /**
   * Looks again. A throw means that it does not hold, except an error with `statusCode` 503: it cannot be said now.
   *
   * @param active a message came, which counts as activity
   */
  check(active: boolean): boolean | Promise<boolean>
  /** Calls `end` as soon as this process knows that the proof is gone. @returns stops watching */
  watch?(end: () => void): () => void
}
