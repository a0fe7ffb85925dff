/**
 * How the proof of an open WebSocket is looked at again. The authenticator that
 * proved the identity makes one per socket; one that makes none vouches until the socket closes.
 */

export interface Liveness {
  /** Epoch ms after which the proof cannot hold without a new look; `null` for no such time. */
  endsAt(): number | null
  /**
   * Looks again. A throw means that it does not hold.
   *
   * @param active a message came, which counts as activity
   */
  check(active: boolean): boolean | Promise<boolean>
  /** Calls `end` as soon as this process knows that the proof is gone. @returns stops watching */
  watch?(end: () => void): () => void
}
