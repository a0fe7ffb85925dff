/** Bounds of what a peer may leave unread, in bytes. */

/** Above it, messages of channels are dropped and answers wait. */
export const DROP_BYTES = 1_048_576

/** Above it, the socket is closed with 1013. No single answer is larger. */
export const CLOSE_BYTES = 8_388_608
