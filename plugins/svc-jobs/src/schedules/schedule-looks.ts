/**
 * Looks at all schedules, on every instance: when the next slot is due, and every few seconds besides, so that changes
 * by others and of the clock are seen. There is no leader; an instance that has made a slot has moved its row.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { Questions } from './questions.ts'
import { dueOf, moveOf, type SlotRules } from './schedule-move.ts'
import { freshRecord, type ScheduleRecord, textOf } from './schedule-record.ts'
import type { Schedule, ScheduleRegistry } from './schedule-registry.ts'
import { slotId } from './slot-id.ts'
import type { Moved, ScheduleStore } from './table-schedules.ts'
import { TextInForce } from './text-in-force.ts'

/** How long an instance waits for the next look, at most. */
export const LOOK_MS = 5_000
/** While slots wait for the end of a job. */
const WAITING_LOOK_MS = 1_000

export interface LookParts {
  readonly registry: ScheduleRegistry
  readonly store: ScheduleStore
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** A job was stored. */
  readonly added: () => void
  /** A job was cancelled. */
  readonly cancelled: (id: string) => void
}

export class ScheduleLooks {
  readonly #parts: LookParts
  readonly #questions: Questions
  readonly #texts: TextInForce
  #timer: unknown = null
  #looking: Promise<void> | null = null
  #stopped = false
  #away = false

  constructor(parts: LookParts) {
    this.#parts = parts
    this.#questions = new Questions(parts)
    this.#texts = new TextInForce(parts, this.#questions)
  }

  /** Looks at once, and again and again. A database that does not answer delays no start. */
  start(): void {
    if (!this.#stopped && this.#parts.registry.size > 0) this.#looking = this.#lookAndWait()
  }

  async #lookAndWait(): Promise<void> {
    const wait = await this.look()
    if (!this.#stopped) this.#timer = this.#parts.clock.setTimeout(() => this.start(), wait)
  }

  /** A look that has begun is over when this resolves. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    await this.#looking
  }

  /** Makes every slot that is due. Never rejects. @returns ms until the next look */
  async look(): Promise<number> {
    const { registry, store, log } = this.#parts
    try {
      const records = new Map((await store.list()).map((record) => [record.name, record]))
      const waits: number[] = [LOOK_MS]
      for (const schedule of registry.all) waits.push(await this.#lookAt(schedule, records.get(schedule.name)))
      if (this.#away) log.info({ code: 'SVC_JOBS_STORE' }, 'schedules are read again')
      this.#away = false
      return Math.max(1, Math.min(...waits))
    } catch (error) {
      const level = this.#away ? 'debug' : 'error'
      this.#away = true
      log[level]({ err: error, code: 'SVC_JOBS_STORE' }, 'schedules could not be looked at')
      return LOOK_MS
    }
  }

  async #lookAt(schedule: Schedule, found: ScheduleRecord | undefined): Promise<number> {
    const { store, clock } = this.#parts
    const { name, cron, zone, calendar } = schedule
    let record = found ?? (await store.declare(freshRecord(name, cron, zone, clock.now())))
    if (textOf(record) !== schedule.text) {
      const changed = await this.#texts.replace(schedule, record, (rules) => this.#advance(schedule, rules, record))
      if (changed === null) return LOOK_MS
      record = changed
    }
    record = await this.#advance(schedule, schedule, await this.#texts.defend(record))
    if (record.waiting.length > 0) return WAITING_LOOK_MS
    const now = clock.now()
    return (calendar.next(now) ?? Number.POSITIVE_INFINITY) - now
  }

  /** Makes what is due, one job at a time. @returns the row afterwards, as far as it is known */
  async #advance(schedule: Schedule, rules: SlotRules, from: ScheduleRecord): Promise<ScheduleRecord> {
    const { clock } = this.#parts
    let record = from
    for (;;) {
      const due = dueOf(rules, record, clock.now())
      const isSure = isFormer(rules, schedule) || (await this.#questions.mayPassOver(record, due))
      if (!isSure || (due === null && record.waiting.length === 0)) return record
      const moved = await this.#move(schedule, rules)
      if (moved === null) return record
      if (due?.passesOver === true) this.#tell(schedule, due.until)
      record = moved.record
    }
  }

  async #move(schedule: Schedule, rules: SlotRules): Promise<Moved | null> {
    const { store, clock, added, cancelled, log } = this.#parts
    const { name } = schedule
    let dropped = 0
    const moved = await store.move(name, (record, isOpen) => {
      if (textOf(record) !== rules.text) return null
      const due = dueOf(rules, record, clock.now())
      const isSure = isFormer(rules, schedule) || this.#questions.isConfirmed(record)
      if (due?.passesOver === true && !isSure) return null
      const move = moveOf(schedule, record, due, isOpen)
      if (move === null) return null
      dropped = move.dropped
      const job = move.slot === null ? null : { ...schedule.job, id: slotId(name, move.slot) }
      return { change: move.change, cancels: move.cancels, job }
    })
    if (moved === null) return null
    if (dropped > 0)
      log.warn(
        { code: 'SVC_JOBS_SLOTS', schedule: name, slots: dropped },
        'too many slots wait for the job before them: the oldest get no job'
      )
    if (moved.cancelled !== null) cancelled(moved.cancelled)
    if (moved.job !== null) added()
    return moved
  }

  #tell({ name, catchUp, job }: Schedule, until: number): void {
    // What maintenance missed, the next run does.
    if (job.system === true) return
    const fields = { code: 'SVC_JOBS_SLOTS', schedule: name, catchUp, until: new Date(until).toISOString() }
    this.#parts.log.warn(fields, `slots of the schedule ${name} were missed, and get no job`)
  }
}

/** The last slots of a text that goes out of force are made at once: no instance asks for them later. */
function isFormer(rules: SlotRules, schedule: Schedule): boolean {
  return rules.text !== schedule.text
}
