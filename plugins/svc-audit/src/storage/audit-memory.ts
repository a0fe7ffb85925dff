/**
 * The newest audit events, first in first out. Refusals, which anybody can provoke in any number, give way to all other
 * events: beyond half of the room they push out their own kind alone. Of others the newest half is never lost to them.
 */
import type { AuditEvent } from 'svc-kernel'

/** How many events memory holds. */
export const AUDIT_MEMORY = 10_000

export class AuditMemory {
  readonly #capacity: number
  readonly #refusals: Lane
  readonly #others: Lane
  #next = 0

  /** @param capacity at least 2 */
  constructor(capacity = AUDIT_MEMORY) {
    this.#capacity = capacity
    this.#refusals = new Lane(capacity)
    this.#others = new Lane(capacity)
  }

  get size(): number {
    return this.#refusals.size + this.#others.size
  }

  /** @returns its position, for `replace` */
  push(event: AuditEvent, isRefusal = false): number {
    if (this.size === this.#capacity) this.#dropFor(isRefusal)
    const position = this.#next
    this.#next += 1
    ;(isRefusal ? this.#refusals : this.#others).push(event, position)
    return position
  }

  /** Puts another event in the place of a refusal. @returns `false` when that has been pushed out */
  replace(position: number, event: AuditEvent): boolean {
    return this.#refusals.replace(position, event)
  }

  /** Newest first. */
  *newest(): Generator<AuditEvent> {
    let [refusal, other] = [this.#refusals.size - 1, this.#others.size - 1]
    while (refusal >= 0 || other >= 0) {
      const isRefusal = this.#refusals.positionAt(refusal) > this.#others.positionAt(other)
      yield isRefusal ? this.#refusals.eventAt(refusal) : this.#others.eventAt(other)
      if (isRefusal) refusal -= 1
      else other -= 1
    }
  }

  /** Keeps what matches, in order. @returns how many were removed */
  retain(matches: (event: AuditEvent) => boolean): number {
    return this.#refusals.retain(matches) + this.#others.retain(matches)
  }

  #dropFor(isRefusal: boolean): void {
    const [refusals, others] = [this.#refusals, this.#others]
    const full = refusals.size + (isRefusal ? 1 : 0) > this.#capacity / 2
    const older = others.size === 0 || (refusals.size > 0 && refusals.positionAt(0) < others.positionAt(0))
    ;(full || older ? refusals : others).shift()
  }
}

/** Events with ascending positions, in a ring; index 0 is the oldest. */
class Lane {
  readonly #capacity: number
  readonly #events: AuditEvent[] = []
  readonly #positions: number[] = []
  #first = 0
  size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  push(event: AuditEvent, position: number): void {
    const slot = this.#slot(this.size)
    this.#events[slot] = event
    this.#positions[slot] = position
    this.size += 1
  }

  shift(): void {
    this.#first = this.#slot(1)
    this.size -= 1
  }

  eventAt(index: number): AuditEvent {
    return this.#events[this.#slot(index)] as AuditEvent
  }

  /** -1 before the oldest. */
  positionAt(index: number): number {
    return index < 0 ? -1 : (this.#positions[this.#slot(index)] as number)
  }

  replace(position: number, event: AuditEvent): boolean {
    let [low, high] = [0, this.size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.positionAt(middle) < position) low = middle + 1
      else high = middle
    }
    if (this.size === 0 || this.positionAt(low) !== position) return false
    this.#events[this.#slot(low)] = event
    return true
  }

  retain(matches: (event: AuditEvent) => boolean): number {
    const all = Array.from({ length: this.size }, (_, index) => [this.eventAt(index), this.positionAt(index)] as const)
    const kept = all.filter(([event]) => matches(event))
    if (kept.length === all.length) return 0
    this.#events.length = 0
    this.#positions.length = 0
    this.#first = 0
    this.size = 0
    for (const [event, position] of kept) this.push(event, position)
    return all.length - kept.length
  }

  #slot(index: number): number {
    return (this.#first + index) % this.#capacity
  }
}
