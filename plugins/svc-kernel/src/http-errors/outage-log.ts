/**
 * Failures in the log. Those that say "not able now" (503) come with every request of an outage: `fastify.outageLog`
 * separates the first of each kind from its repetitions, and logs once that they have stopped. An error whose class logs
 * its outage itself says so with `announced: true`, and is never news.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, systemClock } from '../ports/clock.ts'

/**
 * One line, of the level `error` where no other is given. Never throws because of `thrown`: a logger's serialiser may
 * itself fail on an error that is frozen or hostile, and that must cost neither the answer nor the process.
 */
export function logFailure(
  log: FastifyBaseLogger,
  thrown: unknown,
  message: string,
  { level = 'error', fields = {} }: { readonly level?: 'error' | 'fatal'; readonly fields?: object } = {}
): void {
  try {
    log[level]({ ...fields, err: thrown }, message)
  } catch {
    log[level]({ ...fields, err: copyOf(thrown) }, message)
  }
}

/** An error of our own with the texts of another, as far as they can be read. */
function copyOf(thrown: unknown): Error {
  try {
    const { message, stack } = thrown as Error
    return Object.assign(new Error(String(message)), { stack: String(stack) })
  } catch {
    return new Error('an error that cannot be read')
  }
}

interface Repetition {
  count: number
  /** Epoch ms. */
  last: number
  timer: unknown
}

/** Without a failure for this long, an outage is over. */
const QUIET_MS = 10_000

/** Kinds that are tracked at a time: a reason may hold anything. */
const MAX_KINDS = 100

export class OutageLog {
  readonly #log: FastifyBaseLogger
  readonly #clock: Clock
  readonly #kinds = new Map<string, Repetition>()

  constructor(log: FastifyBaseLogger, clock: Clock = systemClock) {
    this.#log = log
    this.#clock = clock
  }

  /** Whether a failure is worth an ERROR line: anything but the repetition of a 503. Never throws. */
  isNews(thrown: unknown): boolean {
    const kind = kindOf(thrown)
    if (kind === null) return true
    if (kind === ANNOUNCED) return false
    const known = this.#kinds.get(kind)
    if (known !== undefined) {
      known.count += 1
      known.last = this.#clock.now()
    } else if (this.#kinds.size < MAX_KINDS) this.#begin(kind)
    return known === undefined
  }

  close(): void {
    for (const { timer } of this.#kinds.values()) this.#clock.clearTimeout(timer)
    this.#kinds.clear()
  }

  #begin(kind: string): void {
    const repetition: Repetition = { count: 1, last: this.#clock.now(), timer: null }
    this.#kinds.set(kind, repetition)
    this.#watch(kind, repetition, QUIET_MS)
  }

  #watch(kind: string, repetition: Repetition, ms: number): void {
    repetition.timer = this.#clock.setTimeout(() => {
      const quiet = this.#clock.now() - repetition.last
      if (quiet < QUIET_MS) return this.#watch(kind, repetition, QUIET_MS - quiet)
      this.#kinds.delete(kind)
      this.#log.info({ failure: kind, count: repetition.count }, 'a failure that requests met has stopped')
    }, ms)
  }
}

const ANNOUNCED = Symbol('announced')

/** Whether the log has the outage behind an error already. For work in the background, which has no request. */
export function isAnnounced(thrown: unknown): boolean {
  return kindOf(thrown) === ANNOUNCED
}

function kindOf(thrown: unknown): string | typeof ANNOUNCED | null {
  try {
    const { statusCode, code, message, reason, announced } = thrown as Readonly<Record<string, unknown>>
    if (statusCode !== 503) return null
    if (announced === true) return ANNOUNCED
    const texts = [code ?? message, reason].filter((text) => typeof text === 'string')
    return texts.join(' ').slice(0, 200)
  } catch {
    return null
  }
}
