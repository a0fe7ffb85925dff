/**
 * The identity of an open WebSocket: its subject is frozen at the handshake; whether it holds and what it may is checked
 * again before each message (once per window at most, concurrent messages wait for the same check) and, without messages,
 * once a minute and when its time ends. Once over, it stays over.
 *
 * A check without an answer, because a store fails, ends nothing at once: messages are refused until there
 * is one, and without one for a minute the identity is over.
 */
import type { AccessToken, Clock } from 'svc-kernel'
import type { LiveIdentity } from 'svc-kernel/plugin'
import { isThenable } from 'svc-kernel/plugin'
import { withDeadline } from '../../promises/deadline.ts'
import { isUnavailable } from '../../stores/guarded-store.ts'
import type { Revalidation } from './revalidation.ts'

export interface RevalidationParts {
  readonly clock: Clock
  readonly windowMs: number
  /** How long one check may take. */
  readonly timeoutMs: number
  /** A check found no answer. */
  readonly unavailable: (error: unknown) => void
  /** A check found an answer. */
  readonly answered: () => void
  /**
   * A check gave the identity as it would be proven now. @param carries it is the one that requests show
   * @returns `false` for none, or that of another subject
   */
  readonly renewed: (token: AccessToken, carries: boolean) => boolean
  /** A message was refused because the identity is over. */
  readonly refused: () => void
}

/** How long an identity goes without a check when no messages come, and without an answer when there is none. */
const UNCHECKED_MS = 60_000

export class RevalidatedIdentity implements LiveIdentity {
  readonly #proofs: readonly Revalidation[]
  readonly #parts: RevalidationParts
  readonly #ends = new Set<() => void>()
  #checks: Set<() => void> | null = null
  #unwatch: Array<() => void> = []
  #timer: unknown = null
  #checkedAt: number | null = null
  #check: Promise<boolean> | null = null
  /** Since when checks find no answer; `null` while they do. */
  #unsureSince: number | null = null
  #over = false

  /** @param proofs every one of them must hold */
  constructor(proofs: readonly Revalidation[], parts: RevalidationParts) {
    this.#proofs = proofs
    this.#parts = parts
  }

  get unavailable(): boolean {
    return this.#unsureSince !== null && !this.#over
  }

  holds(): boolean | Promise<boolean> {
    if (this.#over) return this.#answer(false)
    if (this.#isFresh()) return this.#unsureSince === null
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

  whenChecked(again: () => void): () => void {
    this.#checks ??= new Set()
    this.#checks.add(again)
    return () => void this.#checks?.delete(again)
  }

  recheck(): void {
    if (!this.#over && !this.#isFresh()) void this.#again(false)
  }

  #answer(holds: boolean): boolean {
    if (this.#over) this.#parts.refused()
    return holds
  }

  #isFresh(): boolean {
    const now = this.#parts.clock.now()
    const end = this.#endsAt()
    if (this.#checkedAt === null || (end !== null && end <= now)) return false
    return now >= this.#checkedAt && now < this.#checkedAt + this.#parts.windowMs
  }

  #again(active: boolean): Promise<boolean> {
    this.#check ??= this.#checkOnce(active).finally(() => {
      this.#check = null
    })
    return this.#check
  }

  async #checkOnce(active: boolean): Promise<boolean> {
    const verdict = await this.#allHold(active)
    const now = this.#parts.clock.now()
    const end = this.#endsAt()
    this.#checkedAt = now
    if (verdict === null) this.#unsureSince ??= now
    else this.#unsureSince = null
    const lost = this.#unsureSince !== null && now - this.#unsureSince >= UNCHECKED_MS
    if (verdict !== false && !lost && !this.#over && (end === null || end > now)) {
      if (this.#ends.size > 0) this.#arm()
      if (verdict === true) for (const again of this.#checks ?? []) again()
      return verdict === true
    }
    this.#finish()
    return false
  }

  /** One "no" counts, whatever the others say; `null` when one cannot be asked. */
  async #allHold(active: boolean): Promise<boolean | null> {
    const verdicts = await Promise.all(this.#proofs.map((proof) => this.#holdsOne(proof, active)))
    if (verdicts.includes(false)) return false
    if (verdicts.includes(null)) return null
    this.#parts.answered()
    const last = verdicts.length - 1
    return verdicts.every(
      (verdict, index) => verdict === true || this.#parts.renewed(verdict as AccessToken, index === last)
    )
  }

  async #holdsOne(proof: Revalidation, active: boolean): Promise<boolean | AccessToken | null> {
    const { timeoutMs, clock } = this.#parts
    try {
      const given = proof.check(active)
      const verdict: unknown = isThenable(given) ? await withDeadline(given, timeoutMs, clock) : given
      return typeof verdict === 'object' && verdict !== null ? (verdict as AccessToken) : verdict === true
    } catch (error) {
      if (!isUnavailable(error)) return false
      this.#parts.unavailable(error)
      return null
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
    const now = clock.now()
    const end = this.#endsAt() ?? Number.POSITIVE_INFINITY
    const wait = Math.min(Math.max(0, end - now), UNCHECKED_MS)
    this.#timer = clock.setTimeout(() => void this.#again(false), wait)
  }

  #endsAt(): number | null {
    const ends = this.#proofs.map(endOf).filter((end) => end !== null)
    return ends.length === 0 ? null : Math.min(...ends)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    const ends = [...this.#ends]
    this.#ends.clear()
    this.#checks = null
    this.#stop()
    for (const end of ends) {
      try {
        end()
      } catch (error) {
        this.#parts.unavailable(error)
      }
    }
  }
}

/** A proof that cannot say when it ends has ended: checks run by a timer too, where nobody would hear what it throws. */
function endOf(proof: Revalidation): number | null {
  try {
    return proof.endsAt()
  } catch {
    return Number.NEGATIVE_INFINITY
  }
}
