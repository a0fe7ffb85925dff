/**
 * The identity of an open WebSocket: frozen at the handshake, looked at again before
 * each message (once per window at most, whoever asks meanwhile waits for the same
 * look) and, without messages, when its time ends. Once over, it stays over.
 */
import type { Clock, LiveIdentity } from 'svc-kernel'
import type { Liveness } from './liveness.ts'

export interface WatchParts {
  readonly clock: Clock
  readonly windowMs: number
  /** A message was refused because the identity is over. */
  readonly refused: () => void
}

/** The longest time a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647

export class WatchedIdentity implements LiveIdentity {
  readonly #proofs: readonly Liveness[]
  readonly #parts: WatchParts
  readonly #ends = new Set<() => void>()
  #unwatch: Array<() => void> = []
  #timer: unknown = null
  #lookedAt: number | null = null
  #look: Promise<boolean> | null = null
  #over = false

  /** @param proofs every one of them must hold */
  constructor(proofs: readonly Liveness[], parts: WatchParts) {
    this.#proofs = proofs
    this.#parts = parts
  }

  holds(): boolean | Promise<boolean> {
    if (this.#over) return this.#answer(false)
    if (this.#isFresh()) return true
    return this.#again(true).then((holds) => this.#answer(holds))
  }

  whenOver(end: () => void): () => void {
    if (this.#over) end()
    else if (this.#ends.size === 0) this.#start()
    this.#ends.add(end)
    return () => {
      this.#ends.delete(end)
      if (this.#ends.size === 0) this.#stop()
    }
  }

  recheck(): void {
    if (!this.#over && !this.#isFresh()) void this.#again(false)
  }

  #answer(holds: boolean): boolean {
    if (!holds) this.#parts.refused()
    return holds
  }

  #isFresh(): boolean {
    const now = this.#parts.clock.now()
    const end = this.#endsAt()
    if (this.#lookedAt === null || (end !== null && end <= now)) return false
    return now >= this.#lookedAt && now < this.#lookedAt + this.#parts.windowMs
  }

  #again(active: boolean): Promise<boolean> {
    this.#look ??= this.#lookOnce(active).finally(() => {
      this.#look = null
    })
    return this.#look
  }

  async #lookOnce(active: boolean): Promise<boolean> {
    const holds = await this.#allHold(active)
    const now = this.#parts.clock.now()
    const end = this.#endsAt()
    this.#lookedAt = now
    if (holds && !this.#over && (end === null || end > now)) {
      if (this.#ends.size > 0) this.#arm()
      return true
    }
    this.#finish()
    return false
  }

  /** What cannot be read does not hold. */
  async #allHold(active: boolean): Promise<boolean> {
    try {
      const verdicts = await Promise.all(this.#proofs.map(async (proof) => proof.check(active)))
      return verdicts.every((verdict) => verdict === true)
    } catch {
      return false
    }
  }

  #start(): void {
    const watches = this.#proofs.map((proof) => proof.watch?.(() => this.#finish()))
    this.#unwatch = watches.filter((unwatch) => unwatch !== undefined)
    this.#arm()
  }

  #stop(): void {
    for (const unwatch of this.#unwatch) unwatch()
    this.#unwatch = []
    this.#parts.clock.clearTimeout(this.#timer)
  }

  /** A socket without messages ends with its proof, too. */
  #arm(): void {
    const { clock } = this.#parts
    clock.clearTimeout(this.#timer)
    const end = this.#endsAt()
    if (end === null) return
    const wait = Math.min(Math.max(0, end - clock.now()), MAX_TIMER_MS)
    this.#timer = clock.setTimeout(() => void this.#again(false), wait)
  }

  #endsAt(): number | null {
    const ends = this.#proofs.map((proof) => proof.endsAt()).filter((end) => end !== null)
    return ends.length === 0 ? null : Math.min(...ends)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    const ends = [...this.#ends]
    this.#ends.clear()
    this.#stop()
    for (const end of ends) end()
  }
}
