/** What the load saw: what was acknowledged and has to hold afterwards, every answer by kind, and what must never happen. */

export type Kind = 'note' | 'session' | 'ended session' | 'key' | 'revoked key' | 'endpoint'

/** Violations kept in full; more are counted. */
const SHOWN = 20

export class Ledger {
  readonly #kept = new Map<Kind, Map<string, string>>()
  readonly #answers = new Map<string, number>()
  readonly violations: string[] = []
  /** Answers that were a refusal, or none. */
  refusals = 0
  #more = 0

  /** An acknowledged write: from now on this has to be there. */
  keep(kind: Kind, id: string, value = ''): void {
    const entries = this.#kept.get(kind) ?? new Map<string, string>()
    this.#kept.set(kind, entries.set(id, value))
  }

  /** It was asked to be something else: neither state can be demanded until the answer is there. */
  release(kind: Kind, id: string): void {
    this.#kept.get(kind)?.delete(id)
  }

  entries(kind: Kind): (readonly [id: string, value: string])[] {
    return [...(this.#kept.get(kind) ?? [])]
  }

  answered(what: string, status: number | 'none'): void {
    if (status === 503 || status === 'none') this.refusals += 1
    const key = `${what} ${status}`
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1)
  }

  violate(text: string): void {
    if (this.violations.length < SHOWN) this.violations.push(text)
    else this.#more += 1
  }

  /** Requests that were refused, or got no answer; frames of sockets apart, which end with their connection. */
  get refusedRequests(): number {
    const refused = [...this.#answers].filter(([key]) => / (?:503|none)$/.test(key) && !key.startsWith('frame'))
    return refused.reduce((sum, [, count]) => sum + count, 0)
  }

  /** One line per kind of answer and of acknowledged write. */
  summary(): string {
    const kept = [...this.#kept].map(([kind, entries]) => `${kind}: ${entries.size}`).join(', ')
    const answers = [...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, count]) => `${key}: ${count}`)
    const more = this.#more === 0 ? [] : [`and ${this.#more} more violations`]
    return [`kept ${kept}`, ...answers, ...more].join('\n  ')
  }
}
