/** Waits on a condition that another process, a socket or a timer brings about. */
import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 60_000
const POLL_MS = 5

/**
 * Looks every 5 ms until there is something other than `null` or `false`.
 *
 * @param what is awaited, for the error
 * @throws after 60 s without it
 */
export async function until<Value>(
  look: () => Promise<Value | null | false> | Value | null | false,
  what: string
): Promise<Value> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found !== null && found !== false) return found
    if (performance.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`)
    await pause(POLL_MS)
  }
}
