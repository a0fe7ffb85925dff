/** Bounds of one WebSocket connection. Beyond them the peer waits, and then is cut off. */

/** Messages that may wait behind a running one before the socket is paused. */
export const MAX_WAITING = 32

/** Bytes that may wait behind a running one before the socket is paused. */
export const MAX_WAITING_BYTES = 65_536

/** Answers not yet taken by the peer, in bytes, above which the next message waits. */
export const HOLD_BYTES = 1_048_576

/** Answers not yet taken by the peer, in bytes, above which the connection is closed with 1013. */
export const CLOSE_BYTES = 8_388_608

/** How long a peer may leave a close unanswered, in milliseconds, before its connection is cut. */
export const CLOSE_TIMEOUT_MS = 2_000
