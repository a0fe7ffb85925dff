/**
 * Which store a brick gets (spec, "Store selection"). Pure: facts in, verdict
 * out. `auto` follows the declared infrastructure, restricted to what is loaded,
 * and ends in memory; a name that the options give and that is missing is never replaced in silence.
 */
import type { Mode } from 'svc-kernel'

export interface SelectionFacts {
  readonly brick: string
  /** `auto`, `memory` or the name of a driver. */
  readonly configured: string
  readonly mode: Mode
  /** Loaded drivers in order of registration, and whether each carries the brick. */
  readonly carries: ReadonlyMap<string, boolean>
  /** The driver whose database the application declared; `null` where none was. */
  readonly declared: string | null
}

export interface SelectionVerdict {
  /** A driver, `memory`, or one of two refusals. */
  readonly outcome: 'driver' | 'memory' | 'disabled' | 'abort'
  readonly driver: string | null
  /** Why, as one sentence. */
  readonly reason: string
  /** A brick that was to be durable and is not. */
  readonly fellBack: boolean
}

/** With both families loaded and none declared, SQL comes first; drivers of others follow. */
const PREFERENCE = ['sqlorm', 'docdb']

export function chooseStore(facts: SelectionFacts): SelectionVerdict {
  const { brick, configured, mode, carries } = facts
  if (configured === 'memory') return memory('memory is configured')
  if (configured === 'auto') return follow(facts)
  if (carries.has(configured)) return carried(brick, configured, carries, `${configured} is configured`)
  const loaded = carries.size === 0 ? 'no driver is loaded' : `loaded: ${[...carries.keys()].join(', ')}`
  const reason = `the store "${configured}" is unknown (${loaded})`
  return { outcome: mode === 'development' ? 'disabled' : 'abort', driver: null, reason, fellBack: false }
}

function follow({ brick, carries, declared }: SelectionFacts): SelectionVerdict {
  if (declared !== null && carries.has(declared)) {
    return carried(brick, declared, carries, `auto follows ${declared}, the declared database`)
  }
  const absent = declared === null ? '' : ` (${declared} is declared but not loaded)`
  const names = [...carries.keys()]
  const first = PREFERENCE.find((name) => carries.has(name)) ?? names[0]
  if (first === undefined) return { ...memory(`no driver is loaded${absent}`), fellBack: declared !== null }
  const why = names.length === 1 ? 'the only driver loaded' : `the first choice among ${names.join(', ')}`
  return carried(brick, first, carries, `auto follows ${first}, ${why}${absent}`)
}

function carried(brick: string, driver: string, carries: SelectionFacts['carries'], reason: string): SelectionVerdict {
  if (carries.get(driver) === true) return { outcome: 'driver', driver, reason, fellBack: false }
  return { ...memory(`${reason}, but it does not support the ${brick} store`), fellBack: true }
}

function memory(reason: string): SelectionVerdict {
  return { outcome: 'memory', driver: 'memory', reason, fellBack: false }
}
