/**
 * What failures are counted of: the name, the name and its network, and the network, each with its own delay. A network
 * from which the name has logged in before is only held by its own failures: who guesses from elsewhere cannot lock the owner
 * out of it. Pure.
 */
import { createHash } from 'node:crypto'
import { clientNetwork } from 'svc-kernel/plugin'

/** How long one waits after so many failures in a row. */
export interface Backoff {
  /** Failures that cost nothing. */
  readonly freeAttempts: number
  /** Seconds after the first one beyond; doubles with each further one. */
  readonly baseDelayS: number
  /** No delay is longer, in seconds. */
  readonly capDelayS: number
}

/** Who tries: the submitted name, whether or not it exists, and the address it came from. */
export interface ThrottleSubject {
  readonly identifier: string
  readonly ip: string
}

/** A network serves many people, and guesses at many names: it may fail this many times as often as one name. */
const NETWORK_FACTOR = 10

/** One count of failures. */
export interface Track {
  readonly key: string
  readonly backoff: Backoff
}

export type Tracks = Readonly<Record<'name' | 'pair' | 'network', Track>>

export function tracksOf({ identifier, ip }: ThrottleSubject, backoff: Backoff): Tracks {
  const [name, network] = [throttleName(identifier), clientNetwork(ip)]
  const wide = { ...backoff, freeAttempts: backoff.freeAttempts * NETWORK_FACTOR }
  return {
    name: { key: digest('name', name), backoff },
    pair: { key: digest('pair', name, network), backoff },
    network: { key: digest('network', network), backoff: wide }
  }
}

/** @returns seconds; 0 while attempts are free */
export function delayAfter(failures: number, { freeAttempts, baseDelayS, capDelayS }: Backoff): number {
  const beyond = failures - freeAttempts
  if (beyond <= 0) return 0
  // 2 ** 1024 is no number any more; long before that the cap holds.
  return Math.min(capDelayS, baseDelayS * 2 ** Math.min(beyond - 1, 52))
}

/** A name as attempts at it are counted: case and blanks are folded, so that no spelling gets attempts of its own. */
export function throttleName(given: string): string {
  return given.normalize('NFKC').trim().toLowerCase()
}

/** Names come from outside: hashed, they have one length, and no store shows who tried to log in. */
function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
