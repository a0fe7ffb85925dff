/**
 * The identity behind an open WebSocket: `request.liveIdentity`. It was resolved
 * before the 101 and stays as it was; whether it still holds is asked again
 * before each message, and told when it ends.
 */
export interface LiveIdentity {
  /** `false` once the proof is gone, or where it is `unavailable`. Never throws, never rejects; reads at most once per window. */
  holds(): boolean | Promise<boolean>
  /** Why `holds()` said `false`: it cannot be said now. The message is refused with 503, and the socket stays. */
  readonly unavailable: boolean
  /**
   * Calls `end` once, as soon as it is known that the identity is over, also between messages.
   *
   * @returns call it when the socket closes
   */
  whenOver(end: () => void): () => void
  /** Looks again although no message came, which does not count as activity; what it finds is told by `whenOver`. */
  recheck(): void
}

/** The close code of a socket whose session or token is revoked or expired. */
export const IDENTITY_OVER = 4001
