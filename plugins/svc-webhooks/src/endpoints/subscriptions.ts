/** Subscriptions to events: their patterns, `*`, an action or `prefix.*` (spec, "Subscription patterns"), and who they reach. Pure. */

/** A pattern, as JSON schemas take it. */
export const EVENT_PATTERN = '^(?:\\*|[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*(?:\\.\\*)?)$'

const FORM = new RegExp(EVENT_PATTERN)

export function isEventPattern(given: unknown): boolean {
  return typeof given === 'string' && FORM.test(given)
}

export interface Subscription {
  readonly id: string
  /** `*`, an action, or `prefix.*`. Anything else matches nothing. */
  readonly events: readonly string[]
}

/** The journal knows a few dozen actions; more than this can only come from elsewhere. */
const MAX_REMEMBERED = 256

const NONE: readonly string[] = Object.freeze([])

/**
 * Which endpoints an action goes to, whatever their number: a look-up per exact name, one per dot of the action, and a
 * memo, as the same few actions come again and again. Made anew for every change of the subscriptions.
 */
export class SubscriptionIndex {
  /** Number of subscriptions. */
  readonly size: number
  readonly #everything: string[] = []
  readonly #exact = new Map<string, string[]>()
  /** By the part before `.*`. */
  readonly #prefixes = new Map<string, string[]>()
  readonly #remembered = new Map<string, readonly string[]>()

  constructor(subscriptions: Iterable<Subscription>) {
    let size = 0
    for (const { id, events } of subscriptions) {
      size += 1
      for (const pattern of events) this.#add(pattern, id)
    }
    this.size = size
  }

  /** Ids of the endpoints that want this action, each once. */
  match(action: string): readonly string[] {
    const known = this.#remembered.get(action)
    if (known !== undefined) return known
    const found = this.#find(action)
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(action, found)
    return found
  }

  #add(pattern: string, id: string): void {
    if (pattern === '*') this.#everything.push(id)
    else if (pattern.endsWith('.*')) append(this.#prefixes, pattern.slice(0, -2), id)
    else append(this.#exact, pattern, id)
  }

  #find(action: string): readonly string[] {
    const ids = new Set(this.#everything)
    for (const id of this.#exact.get(action) ?? NONE) ids.add(id)
    for (let dot = action.indexOf('.'); dot !== -1; dot = action.indexOf('.', dot + 1)) {
      for (const id of this.#prefixes.get(action.slice(0, dot)) ?? NONE) ids.add(id)
    }
    return ids.size === 0 ? NONE : [...ids]
  }
}

function append(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [id])
  else list.push(id)
}
