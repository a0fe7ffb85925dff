/** How the Redis client behaves: it never queues, never gives up, and shows no password. */
import type { RedisOptions } from 'ioredis'

/** Readiness follows the return of the server within two seconds. */
const MAX_DELAY_MS = 1000
/** A command unanswered for this long has failed: a server can hang with its sockets open. */
const COMMAND_TIMEOUT_MS = 5000

export function redisSettings() {
  return {
    retryStrategy: retryDelay,
    // A message is of the moment: waiting for a reconnection would deliver it late, and fill the memory meanwhile.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS
  } satisfies RedisOptions
}

/** 50 ms, doubling, at most 1 s. @param attempt from 1 */
export function retryDelay(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt - 1, 10), MAX_DELAY_MS)
}

/** As the library words it: it gives this error neither a class nor a code. */
export function isTimeout(error: Error): boolean {
  return error.message === 'Command timed out'
}

/** The address without user, password and parameters. */
export function shownTarget(url: string): string {
  if (!URL.canParse(url)) return 'an unreadable address'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
