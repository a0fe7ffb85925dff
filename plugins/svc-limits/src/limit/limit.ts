/** A limit as it is counted, made of what a route, a decorator or an option declares, and the mistakes in it. Pure. */
import type { Problem, RateLimit } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import type { Pace } from './gcra.ts'
import { RATE_FORM, type Rate, readRate } from './rate.ts'

/** A limit of the application: its rate, what may come at once, and what happens while its store does not answer. */
export interface Limit extends Pace {
  readonly name: string
  readonly rate: Rate
  readonly onOutage: 'local' | 'refuse'
}

/** What a declaration says beside whose requests are counted. */
export type LimitTerms = Pick<RateLimit, 'rate' | 'burst' | 'onOutage'>

/** Where a declaration is written, for messages. */
export interface LimitPlace {
  /** `Orders.create`, `POST /orders`, `svc-limits.limits.mail` */
  readonly label: string
  readonly at: string | undefined
}

const KEYS = ['rate', 'burst', 'by', 'name', 'onOutage']

const BY = ['address', 'identity', 'key']

/** Printable ASCII: a name is part of a header. */
const NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/

/** @returns a limit, or what is wrong with it */
export function readLimit(
  name: string,
  { rate: given, burst, onOutage }: LimitTerms,
  place: LimitPlace,
  outage: Limit['onOutage']
): Limit | Problem {
  const rate = readRate(given)
  if (typeof rate === 'string') {
    return {
      code: 'SVC_LIMIT_RATE',
      message: `the limit of ${place.label} ${rate}`,
      at: place.at,
      got: JSON.stringify(given),
      expected: RATE_FORM,
      fix: "rate: '100/min'"
    }
  }
  if (burst !== undefined && (!Number.isSafeInteger(burst) || burst < 1)) {
    return option(place, 'burst', burst, 'a whole number of at least 1', `burst: ${rate.count}`)
  }
  const intervalUs = Math.ceil((rate.perS * 1_000_000) / rate.count)
  return Object.freeze({ name, rate, intervalUs, burst: burst ?? rate.count, onOutage: onOutage ?? outage })
}

/** Mistakes in a declaration of a route, beside those in its rate. */
export function declarationProblems(limit: RateLimit, place: LimitPlace): Problem[] {
  if (typeof limit !== 'object' || limit === null) {
    return [option(place, 'limits', limit, '{ rate, by }', "{ rate: '100/min', by: 'identity' }")]
  }
  const { by, name, onOutage } = limit
  const problems: Problem[] = Object.keys(limit)
    .filter((key) => !KEYS.includes(key))
    .map((key) => option(place, key, undefined, KEYS.join(' | '), `write ${nearestName(key, KEYS) ?? 'a known key'}`))
  if (typeof by !== 'function' && !BY.includes(by)) {
    problems.push(option(place, 'by', by, `${BY.join(' | ')} | a function of the request`, "by: 'identity'"))
  }
  if (name !== undefined && (typeof name !== 'string' || !NAME.test(name))) {
    problems.push(option(place, 'name', name, '1 to 100 printable ASCII characters', "name: 'mail'"))
  }
  if (onOutage !== undefined && onOutage !== 'local' && onOutage !== 'refuse') {
    problems.push(option(place, 'onOutage', onOutage, 'local | refuse', "onOutage: 'refuse'"))
  }
  return problems
}

/** The name of a limit that has none: of its operation, what it counts by, and its rate. */
export function defaultName(operation: string, { by }: RateLimit, { rate: { count, perS } }: Pick<Limit, 'rate'>) {
  const plain = operation.replace(/[^\x20-\x7e]/g, (char) => encodeURIComponent(char))
  return `${plain} by ${typeof by === 'function' ? 'function' : by} ${count}/${perS}s`
}

export function isProblem(value: Limit | Problem): value is Problem {
  return 'code' in value
}

function option({ label, at }: LimitPlace, key: string, got: unknown, expected: string, fix: string): Problem {
  const shown = typeof got === 'function' ? 'a function' : JSON.stringify(got)
  return {
    code: 'SVC_LIMIT_OPTION',
    message: `the limit of ${label} has a wrong ${key}`,
    at,
    got: shown,
    expected,
    fix
  }
}
