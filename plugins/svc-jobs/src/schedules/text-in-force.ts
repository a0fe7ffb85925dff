/**
 * Which text of a schedule is in force while two releases run side by side: the newest, by when it was first seen. An
 * instance with an older one makes no slots, and takes its text back once no instance with the newer one answers.
 */
import type { Clock } from 'svc-kernel'
import { type Calendar, readCalendar } from './calendar.ts'
import { GRACE_MS } from './due-slots.ts'
import type { Questions } from './questions.ts'
import type { SlotRules } from './schedule-move.ts'
import { type ScheduleRecord, textOf } from './schedule-record.ts'
import type { Schedule } from './schedule-registry.ts'
import type { ScheduleStore } from './table-schedules.ts'

/** How many former texts a row remembers. */
const REMEMBERED = 20

const ASKS_FOR_TEXT = 'text '

export class TextInForce {
  readonly #parts: { readonly store: ScheduleStore; readonly clock: Clock }
  readonly #questions: Questions

  constructor(parts: { readonly store: ScheduleStore; readonly clock: Clock }, questions: Questions) {
    this.#parts = parts
    this.#questions = questions
  }

  /**
   * Puts the text of this release in force, unless it is an older one.
   *
   * @param finish makes the slots of the former text that are due @returns `null`: another text is in force
   */
  async replace(
    schedule: Schedule,
    record: ScheduleRecord,
    finish: (rules: SlotRules) => Promise<ScheduleRecord>
  ): Promise<ScheduleRecord | null> {
    const { clock, store } = this.#parts
    const { name, cron, zone } = schedule
    const mine = schedule.text
    const isFormer = record.former.includes(mine)
    if (isFormer && !(await this.#questions.ask(record, ASKS_FOR_TEXT + mine))) return null
    const { revision, decidedUntil, former } = isFormer ? record : await finish(this.#rulesOf(record, schedule))
    // No instance made slots while the question was open.
    const from = clock.now() - (isFormer ? GRACE_MS : 0)
    return store.change(name, revision, {
      cron,
      zone,
      former: [textOf(record), ...former.filter((text) => text !== mine)].slice(0, REMEMBERED),
      decidedUntil: Math.max(decidedUntil, from),
      question: null
    })
  }

  /** The text in force is that of this release: the question of another instance is removed. */
  async defend(record: ScheduleRecord): Promise<ScheduleRecord> {
    return record.question?.startsWith(ASKS_FOR_TEXT) === true ? this.#questions.remove(record) : record
  }

  /** A text that this release cannot read is due no more. */
  #rulesOf(record: ScheduleRecord, { catchUp, overlap }: SlotRules): SlotRules {
    const read = readCalendar(record.cron, record.zone)
    return { text: textOf(record), calendar: 'message' in read ? NEVER : read, catchUp, overlap }
  }
}

const NEVER: Calendar = { next: () => null, last: () => [] }
