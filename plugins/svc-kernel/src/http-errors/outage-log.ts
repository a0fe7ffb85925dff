/**
 * Failures in the log. Those that say "not able now" (503) come with every request of an outage: `fastify.outageLog`
 * separates the first of each kind from its repetitions, and logs once that they have stopped: when a route that met it
 * answers again, and ten seconds went by without another. A night without requests ends no outage. An error whose class
 * logs its outage itself says so with `announced: true`, and is never news.
 */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { currentRequest } from '../context/request-context.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { answersHeard } from './answers.ts'

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
    return new Error('an unreadable error')
  }
}

interface Repetition {
  count: number
  /** Epoch ms. */
  last: number
  timer: unknown
  /** Routes that met it; none where no request did. */
  readonly routes: Set<string>
  /** One of them has answered since the last failure. */
  isAnswered: boolean
}

/** Without a failure for this long, and with an answer, an outage is over. */
const QUIET_MS = 10_000

/** Of one kind: any of them says that it is over. */
const MAX_ROUTES = 20

/** Kinds that are tracked at a time: a reason may hold anything. */
const MAX_KINDS = 100

export class OutageLog {
  readonly #log: FastifyBaseLogger
  readonly #clock: Clock
  readonly #kinds = new Map<string, Repetition>()
  /** Ends the subscription to answers, which lasts as long as an outage does. */
  #unsubscribe: (() => void) | null = null

  constructor(log: FastifyBaseLogger, clock: Clock = systemClock) {
    this.#log = log
    this.#clock = clock
  }

  /** Whether a failure is worth an ERROR line: anything but the repetition of a 503. Never throws. */
  firstOccurrence(thrown: unknown): boolean {
    const kind = kindOf(thrown)
    if (kind === null) return true
    if (kind === ANNOUNCED) return false
    const known = this.#kinds.get(kind)
    const repetition = known ?? this.#begin(kind)
    if (repetition === null) return true
    repetition.count += 1
    repetition.last = this.#clock.now()
    repetition.isAnswered = false
    this.#metBy(repetition, currentRequest())
    if (repetition.timer === null) this.#watch(kind, repetition, QUIET_MS)
    return known === undefined
  }

  close(): void {
    for (const { timer } of this.#kinds.values()) this.#clock.clearTimeout(timer)
    this.#kinds.clear()
    this.#stopListening()
  }

  /** @returns `null` where too many kinds are open, and none of them is quiet */
  #begin(kind: string): Repetition | null {
    if (this.#kinds.size === MAX_KINDS && !this.#forgetQuiet()) return null
    const begun = { count: 0, last: 0, timer: null, routes: new Set<string>(), isAnswered: false }
    this.#kinds.set(kind, begun)
    return begun
  }

  /** Of kinds that nobody asks about any more there may be ever more. */
  #forgetQuiet(): boolean {
    const now = this.#clock.now()
    for (const [kind, { last }] of this.#kinds) if (now - last >= QUIET_MS) return this.#kinds.delete(kind)
    return false
  }

  #metBy({ routes }: Repetition, request: FastifyRequest | undefined): void {
    if (request === undefined || routes.size === MAX_ROUTES) return
    routes.add(routeOf(request))
    this.#unsubscribe ??= answersHeard((answered) => this.#answered(answered))
  }

  /** A route has answered, of this application or of another in this process. */
  #answered(request: FastifyRequest): void {
    const { outageLog } = request.server as { outageLog?: unknown }
    if (outageLog !== this) return
    const route = routeOf(request)
    for (const [kind, repetition] of this.#kinds) {
      if (!repetition.routes.has(route)) continue
      repetition.isAnswered = true
      if (repetition.timer === null) this.#end(kind, repetition)
    }
  }

  #watch(kind: string, repetition: Repetition, ms: number): void {
    repetition.timer = this.#clock.setTimeout(() => {
      const quiet = this.#clock.now() - repetition.last
      if (quiet < QUIET_MS) return this.#watch(kind, repetition, QUIET_MS - quiet)
      repetition.timer = null
      // Where no request met it, none can say that it is over.
      if (repetition.isAnswered || repetition.routes.size === 0) this.#end(kind, repetition)
    }, ms)
  }

  #end(kind: string, { count }: Repetition): void {
    this.#kinds.delete(kind)
    this.#log.info({ failure: kind, count }, 'requests no longer meet this failure')
    if ([...this.#kinds.values()].every(({ routes }) => routes.size === 0)) this.#stopListening()
  }

  #stopListening(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = null
  }
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? ''}`
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
