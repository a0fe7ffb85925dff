/**
 * Names as the system resolves them, hosts file included. `getaddrinfo` holds a
 * thread of the pool that also hashes passwords and reads files, for seconds
 * where a resolver is silent: two at a time, and one per name.
 */
import { lookup } from 'node:dns/promises'
import { LookupTurns } from './lookup-turns.ts'
import type { Lookup, ResolvedAddress } from './ssrf-policy.ts'

/** Of the pool's four threads. */
const AT_ONCE = 2

type Answer = Promise<readonly ResolvedAddress[]>

export const systemLookup: Lookup = sharedLookup((host) => lookup(host, { all: true, order: 'verbatim' }), AT_ONCE)

/**
 * Whoever asks for a name that is being looked up gets that answer; nothing is kept beyond it.
 *
 * @param now milliseconds of a clock that is never set back
 */
export function sharedLookup(ask: Lookup, atOnce: number, now: () => number = () => performance.now()): Lookup {
  const pending = new Map<string, Answer>()
  const turns = new LookupTurns(atOnce, now)

  const askInTurn = async (host: string) => {
    const leave = await turns.take(host)
    try {
      return await ask(host)
    } finally {
      pending.delete(host)
      leave()
    }
  }

  return (host) => {
    const known = pending.get(host)
    if (known !== undefined) return known
    const answer = askInTurn(host)
    pending.set(host, answer)
    return answer
  }
}
