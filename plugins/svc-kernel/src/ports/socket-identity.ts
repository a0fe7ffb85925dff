/** The identity of an open WebSocket. */

/**
 * The identity behind an open WebSocket: `request.liveIdentity`. Its subject was resolved before the 101 and stays; whether
 * it still holds, and what it may, is checked again before each message: `request.user` and `request.token` are then those
 * of the last check. When it ends is reported.
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
  /**
   * Calls `again` after each check that found that the identity holds: what was granted to it is to be asked again.
   *
   * @returns call it when the socket closes
   */
  whenChecked(again: () => void): () => void
  /** Looks again although no message came, which does not count as activity; what it finds is reported by `whenOver`. */
  recheck(): void
}

/** The close code of a socket whose session or token is revoked or expired. */
export const IDENTITY_OVER = 4001
