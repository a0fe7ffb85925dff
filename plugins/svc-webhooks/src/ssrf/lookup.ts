/**
 * Resolves names as the system does, including the hosts file. `getaddrinfo` blocks a thread of the pool that also
 * hashes passwords and reads files, for seconds if a resolver is silent. So only two look-ups run at a time, and one
 * per name.
 */
import { lookup } from 'node:dns/promises'

/** One address of a host, as `node:dns` returns it. */
export interface ResolvedAddress {
  readonly address: string
  /** 4 or 6. Not trusted: the address itself decides. */
  readonly family: number
}

/** All addresses of a name. Rejects with the error of `node:dns`, whose `code` tells a missing name from a failure. */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>

/** A working resolver has answered by then. */
const SLOW_MS = 1_000

/** How many slow names are remembered; the oldest is forgotten first. */
const MAX_SLOW = 1_000

interface Waiting {
  readonly host: string
  readonly begin: (isSlow: boolean) => void
}

/**
 * Limits parallel look-ups; the others wait in order. Names that were slow before run one at a time, so that silent
 * name servers do not block the others.
 */
export class LookupLimiter {
  readonly #atOnce: number
  readonly #now: () => number
  readonly #slow = new Set<string>()
  readonly #waiting: Waiting[] = []
  #running = 0
  #slowRunning = 0

  /** @param now milliseconds of a monotonic clock */
  constructor(atOnce: number, now: () => number) {
    this.#atOnce = atOnce
    this.#now = now
  }

  /** Resolves when this name may be looked up. @returns a function that releases the slot */
  async acquire(host: string): Promise<() => void> {
    const isSlow = await new Promise<boolean>((begin) => {
      this.#waiting.push({ host, begin })
      this.#beginNext()
    })
    const began = this.#now()
    return () => {
      this.#running -= 1
      if (isSlow) this.#slowRunning -= 1
      this.#learn(host, this.#now() - began >= SLOW_MS)
      this.#beginNext()
    }
  }

  #beginNext(): void {
    if (this.#running >= this.#atOnce) return
    const index = this.#waiting.findIndex(({ host }) => this.#slowRunning === 0 || !this.#slow.has(host))
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (next === undefined) return
    this.#running += 1
    const isSlow = this.#slow.has(next.host)
    if (isSlow) this.#slowRunning += 1
    next.begin(isSlow)
    this.#beginNext()
  }

  #learn(host: string, slow: boolean): void {
    this.#slow.delete(host)
    if (!slow) return
    this.#slow.add(host)
    const [oldest] = this.#slow
    if (this.#slow.size > MAX_SLOW && oldest !== undefined) this.#slow.delete(oldest)
  }
}

/**
 * Callers that ask for the same name at the same time share one look-up; nothing is cached.
 *
 * @param now milliseconds of a monotonic clock
 */
export function sharedLookup(ask: Lookup, atOnce: number, now: () => number = () => performance.now()): Lookup {
  const pending = new Map<string, ReturnType<Lookup>>()
  const limiter = new LookupLimiter(atOnce, now)

  const limited = async (host: string) => {
    const release = await limiter.acquire(host)
    try {
      return await ask(host)
    } finally {
      pending.delete(host)
      release()
    }
  }

  return (host) => {
    const known = pending.get(host)
    if (known !== undefined) return known
    const answer = limited(host)
    pending.set(host, answer)
    return answer
  }
}

/** Two of the pool's four threads. */
const AT_ONCE = 2

/** Resolves as the system does, hosts file included. Two lookups run at a time, and one per name. */
export const systemLookup: Lookup = sharedLookup((host) => lookup(host, { all: true, order: 'verbatim' }), AT_ONCE)

/** Codes of `getaddrinfo`, of c-ares and of the system that report a failure of the resolver, not of the name. */
const TRANSIENT: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_MEMORY',
  'EAI_SYSTEM',
  'ECANCELLED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETUNREACH',
  'ENFILE',
  'ENOMEM',
  'EREFUSED',
  'ESERVFAIL',
  'ETIMEDOUT',
  'ETIMEOUT'
])

/**
 * Classifies a failed look-up: a failing resolver may answer next time; a missing name stays missing. Anything unknown
 * counts as a missing name, which is refused and not retried.
 */
export function lookupFailure(error: unknown): 'resolver' | 'unresolvable' {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return TRANSIENT.has(code) ? 'resolver' : 'unresolvable'
}
