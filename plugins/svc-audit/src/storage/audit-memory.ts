/**
 * The newest audit events, first in first out. Refusals, which anybody can provoke in any number, give way to all other
 * events: beyond half of the room they push out their own kind alone. Of others the newest half is never lost to them.
 */
import type { AuditEvent } from 'svc-kernel'
import { CountedEvent } from './counted-event.ts'

/** How many events memory holds. */
export const AUDIT_MEMORY = 10_000

/** The newest events, in memory. Refusals take no more than half of the room from other events. */
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

  push(event: Held, isRefusal = false): void {
    if (this.size === this.#capacity) this.#dropFor(isRefusal)
    ;(isRefusal ? this.#refusals : this.#others).push(event, this.#next)
    this.#next += 1
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

/** An event as it was, or one that goes on counting while it is held. */
type Held = AuditEvent | CountedEvent

/** Events with ascending positions, in a ring; index 0 is the oldest. */
class Lane {
  readonly #capacity: number
  readonly #events: Held[] = []
  readonly #positions: number[] = []
  #first = 0
  size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  push(event: Held, position: number): void {
    const slot = this.#slot(this.size)
    this.#events[slot] = event
    this.#positions[slot] = position
    this.size += 1
  }

  shift(): void {
    release(this.#heldAt(0))
    this.#first = this.#slot(1)
    this.size -= 1
  }

  eventAt(index: number): AuditEvent {
    return shown(this.#heldAt(index))
  }

  /** -1 before the oldest. */
  positionAt(index: number): number {
    return index < 0 ? -1 : (this.#positions[this.#slot(index)] as number)
  }

  retain(matches: (event: AuditEvent) => boolean): number {
    const all = Array.from({ length: this.size }, (_, index) => [this.#heldAt(index), this.positionAt(index)] as const)
    const kept = all.filter(([held]) => {
      const matched = matches(shown(held))
      if (!matched) release(held)
      return matched
    })
    if (kept.length === all.length) return 0
    this.#events.length = 0
    this.#positions.length = 0
    this.#first = 0
    this.size = 0
    for (const [held, position] of kept) this.push(held, position)
    return all.length - kept.length
  }

  #heldAt(index: number): Held {
    return this.#events[this.#slot(index)] as Held
  }

  #slot(index: number): number {
    return (this.#first + index) % this.#capacity
  }
}

function shown(held: Held): AuditEvent {
  return held instanceof CountedEvent ? held.read() : held
}

function release(held: Held): void {
  if (held instanceof CountedEvent) held.release()
}
