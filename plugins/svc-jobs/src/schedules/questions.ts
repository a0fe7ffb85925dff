/**
 * What an instance asks all others before it does what cannot be undone: it writes the question into the row of the
 * schedule, and acts once it has stayed there for half a minute. An instance that knows better removes it at its next
 * look. Clocks are not compared: an instance whose clock is ahead learns so from those that do not find a slot late.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { DueSlots } from './due-slots.ts'
import type { ScheduleRecord } from './schedule-record.ts'
import type { ScheduleStore } from './table-schedules.ts'

/** How long a question stays, by the clock of the instance that asks, and how many looks. */
export const ANSWER_MS = 30_000
export const ANSWER_LOOKS = 6

/** May slots be passed over that were missed? */
export const MISSED = 'missed'

export interface QuestionParts {
  readonly store: ScheduleStore
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** A question as this instance has seen it. */
interface Seen {
  readonly revision: number
  readonly since: number
  readonly looks: number
  /** This instance has asked. */
  readonly isMine: boolean
}

export class Questions {
  readonly #parts: QuestionParts
  readonly #seen = new Map<string, Seen>()
  /** Schedules of which the log has an objection. */
  readonly #told = new Set<string>()

  constructor(parts: QuestionParts) {
    this.#parts = parts
  }

  /** Whether slots may be decided now: none is passed over, or no instance has objected to that. */
  async mayPassOver(record: ScheduleRecord, due: DueSlots | null): Promise<boolean> {
    if (due?.passesOver === true) return this.ask(record, MISSED)
    this.#seen.delete(record.name)
    this.#told.delete(record.name)
    if (record.question === MISSED) await this.remove(record)
    return true
  }

  /** Asks once a look. @returns whether the question is answered, by silence */
  async ask(record: ScheduleRecord, question: string): Promise<boolean> {
    const { store, clock } = this.#parts
    const { name, revision } = record
    const before = this.#seen.get(name)
    if (record.question !== null && before?.revision === revision) {
      this.#seen.set(name, { ...before, looks: before.looks + 1 })
      if (!this.isConfirmed(record)) return false
      if (record.question === question) return true
    } else if (record.question !== null) {
      this.#seen.set(name, { revision, since: clock.now(), looks: 0, isMine: false })
      return false
    } else if (before?.isMine === true && question === MISSED) this.#objected(name)
    // None is there, or one whose instance has ended.
    const asked = await store.change(name, revision, { question })
    if (asked !== null) {
      this.#seen.set(name, { revision: asked.revision, since: clock.now(), looks: 0, isMine: true })
    }
    return false
  }

  /** Whether the question of the row has stayed for long enough. */
  isConfirmed({ name, revision, question }: ScheduleRecord): boolean {
    const seen = this.#seen.get(name)
    if (question === null || seen === undefined || seen.revision !== revision) return false
    return seen.looks >= ANSWER_LOOKS && this.#parts.clock.now() - seen.since >= ANSWER_MS
  }

  /** Objects. @returns the row without the question */
  async remove(record: ScheduleRecord): Promise<ScheduleRecord> {
    const changed = await this.#parts.store.change(record.name, record.revision, { question: null })
    return changed ?? record
  }

  #objected(schedule: string): void {
    if (this.#told.has(schedule)) return
    this.#told.add(schedule)
    const text = 'another instance does not find the slots of the schedule late: compare the clocks of both'
    this.#parts.log.warn({ code: 'SVC_JOBS_CLOCK', schedule }, text)
  }
}
