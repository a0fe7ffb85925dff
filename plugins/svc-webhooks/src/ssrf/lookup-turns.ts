/**
 * Who may ask the resolver next: few at a time, in their order. Names that were slow before go
 * one at a time, so that those whose name servers are silent leave a way for those that answer.
 */

/** A resolver that works has answered by then. */
const SLOW_MS = 1_000

/** The one that was slow longest ago makes room. */
const MAX_SLOW = 1_000

interface Waiting {
  readonly host: string
  readonly begin: (isSlow: boolean) => void
}

export class LookupTurns {
  readonly #atOnce: number
  readonly #now: () => number
  readonly #slow = new Set<string>()
  readonly #waiting: Waiting[] = []
  #running = 0
  #slowRunning = 0

  /** @param now milliseconds of a clock that is never set back */
  constructor(atOnce: number, now: () => number) {
    this.#atOnce = atOnce
    this.#now = now
  }

  /** Resolves when it is the turn of this name. @returns ends the turn */
  async take(host: string): Promise<() => void> {
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
    const next = this.#waiting.findIndex(({ host }) => this.#slowRunning === 0 || !this.#slow.has(host))
    const [turn] = next === -1 ? [] : this.#waiting.splice(next, 1)
    if (turn === undefined) return
    this.#running += 1
    const isSlow = this.#slow.has(turn.host)
    if (isSlow) this.#slowRunning += 1
    turn.begin(isSlow)
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
