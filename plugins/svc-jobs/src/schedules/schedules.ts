/** `fastify.jobs.schedules`: lists schedules with their next slots, pauses them, and runs their job now. */
import type { Clock } from 'svc-kernel'
import { UuidIds } from 'svc-stores/table'
import { isSystemName } from '../definitions/system-jobs.ts'
import type { JobState } from '../records/job-record.ts'
import { type Calendar, readCalendar } from './calendar.ts'
import { ScheduleBusy, ScheduleNotFound } from './errors.ts'
import type { CatchUp, Overlap } from './schedule-options.ts'
import { freshRecord, type ScheduleRecord } from './schedule-record.ts'
import type { Schedule, ScheduleRegistry } from './schedule-registry.ts'
import type { ScheduleStore } from './table-schedules.ts'

/** A schedule as it is. Times are epoch ms. */
export interface ScheduleState {
  readonly name: string
  /** The text in force: while two releases run side by side, that of the newer one. */
  readonly cron: string
  readonly zone: string
  /** `false`: this release does not declare it. Where no release does, it makes no slots. */
  readonly declared: boolean
  /** What this release says; `null` where it does not declare the schedule. */
  readonly job: string | null
  readonly catchUp: CatchUp | null
  readonly overlap: Overlap | null
  readonly paused: boolean
  /** The next five slots; empty while it is paused or not declared. */
  readonly next: readonly number[]
  /** The last slot that got a job. */
  readonly lastSlot: number | null
  /** The last slot that got none, as an earlier job had not ended. */
  readonly lastSkipped: number | null
  /** How many slots wait for the end of an earlier job. */
  readonly waiting: number
  /** `null`: there was none, or it is no longer stored. */
  readonly lastJob: { readonly id: string; readonly state: JobState } | null
}

const LISTED_SLOTS = 5

export interface SchedulesParts {
  readonly registry: ScheduleRegistry
  readonly store: ScheduleStore
  readonly clock: Clock
  /** A job was stored. */
  readonly added: () => void
  /** A job was cancelled. */
  readonly cancelled: (id: string) => void
}

/** `fastify.jobs.schedules`. */
export class Schedules {
  readonly #parts: SchedulesParts
  readonly #ids: UuidIds

  constructor(parts: SchedulesParts) {
    this.#parts = parts
    this.#ids = new UuidIds(parts.clock)
  }

  /**
   * Every schedule that is declared or was, by name.
   *
   * @param system `true`: those of maintenance tasks, in place of those of the application. Default `false`
   */
  async list({ system = false }: { readonly system?: boolean | undefined } = {}): Promise<readonly ScheduleState[]> {
    const { registry, store, clock } = this.#parts
    const records = new Map((await store.list()).map((record) => [record.name, record]))
    for (const schedule of registry.all) {
      if (!records.has(schedule.name)) records.set(schedule.name, freshOf(schedule, clock.now()))
    }
    for (const name of [...records.keys()]) if (isSystemName(name) !== system) records.delete(name)
    const ids = [...records.values()].flatMap(({ lastJob }) => lastJob ?? [])
    const last = new Map(
      (ids.length === 0 ? [] : await store.jobs.load(ids)).map(({ id, state }) => [id, { id, state }])
    )
    return [...records.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((record) => this.#stateOf(record, last.get(record.lastJob ?? '') ?? null))
  }

  /** Makes no slots until it is resumed: those that are due meanwhile get no job, then or later. @throws ScheduleNotFound (404) */
  pause(name: string): Promise<void> {
    return this.#pause(name, true)
  }

  /** @throws ScheduleNotFound (404) */
  resume(name: string): Promise<void> {
    return this.#pause(name, false)
  }

  /**
   * Adds the job of a schedule outside of its slots, also while it is paused. With `overlap: 'cancel'`, its last job is
   * cancelled.
   *
   * @throws ScheduleNotFound (404), ScheduleBusy (409) while its last job has not ended
   */
  async runNow(name: string): Promise<{ readonly id: string; readonly name: string }> {
    const { store, clock, added, cancelled } = this.#parts
    const schedule = this.#declared(name)
    const job = { ...schedule.job, id: this.#ids.generate() }
    for (;;) {
      await store.declare(freshOf(schedule, clock.now()))
      const moved = await store.move(name, ({ lastJob }, isOpen) => {
        const cancels = isOpen && schedule.overlap === 'cancel'
        if (isOpen && !cancels) throw new ScheduleBusy(lastJob ?? '', name)
        return { change: {}, cancels, job }
      })
      // Another change came first.
      if (moved?.job == null) continue
      if (moved.cancelled !== null) cancelled(moved.cancelled)
      added()
      return { id: moved.job.id, name: moved.job.name }
    }
  }

  async #pause(name: string, paused: boolean): Promise<void> {
    const { registry, store, clock } = this.#parts
    const schedule = registry.find(name)
    if (schedule !== undefined) await store.declare(freshOf(schedule, clock.now()))
    if ((await store.pause(name, paused)) === null) throw new ScheduleNotFound(name)
  }

  #declared(name: string): Schedule {
    const schedule = this.#parts.registry.find(name)
    if (schedule === undefined) throw new ScheduleNotFound(name)
    return schedule
  }

  #stateOf(record: ScheduleRecord, lastJob: ScheduleState['lastJob']): ScheduleState {
    const { name, cron, zone, paused, lastSlot, lastSkipped, decidedUntil } = record
    const schedule = this.#parts.registry.find(name)
    const calendar = readCalendar(cron, zone)
    const isDue = schedule !== undefined && !paused && !('message' in calendar)
    return {
      name,
      cron,
      zone,
      declared: schedule !== undefined,
      job: schedule?.job.name ?? null,
      catchUp: schedule?.catchUp ?? null,
      overlap: schedule?.overlap ?? null,
      paused,
      next: isDue ? nextSlots(calendar, Math.max(decidedUntil, this.#parts.clock.now())) : [],
      lastSlot,
      lastSkipped,
      waiting: record.waiting.length,
      lastJob
    }
  }
}

function freshOf({ name, cron, zone }: Schedule, now: number): ScheduleRecord {
  return freshRecord(name, cron, zone, now)
}

function nextSlots(calendar: Calendar, after: number): readonly number[] {
  const slots: number[] = []
  for (let slot = calendar.next(after); slot !== null && slots.length < LISTED_SLOTS; slot = calendar.next(slot)) {
    slots.push(slot)
  }
  return slots
}
