/** What the admin routes answer. An undeclared field never leaves. Times are epoch ms. */
import { flag, integer, integerOrNull, listOf, mapOf, object, objectOrNull, text, textOrNull } from 'svc-kernel/schemas'

const listed = {
  id: text,
  name: text,
  lane: text,
  system: flag,
  priority: text,
  state: text,
  traceparent: textOrNull,
  cause: objectOrNull({ user: textOrNull, token: textOrNull, requestId: textOrNull, job: textOrNull }),
  attempts: integer,
  interruptions: integer,
  reason: textOrNull,
  progress: objectOrNull({ value: { type: 'number' }, text: textOrNull }),
  batch: textOrNull,
  addedAt: integer,
  dueAt: integer,
  startedAt: integerOrNull,
  endedAt: integerOrNull
}

export const job = object({ ...listed, body: { description: 'values that are named like secrets are masked' } })

export const jobs = object({ items: listOf(object(listed)), next: textOrNull })

export const counts = object({
  states: { ...mapOf(integer), description: 'how many jobs are in each state; `most` stands for that many or more' },
  most: integer,
  waitingSince: { ...integerOrNull, description: 'when the job was due that was added first of those that wait' },
  names: { ...listOf(text), description: 'the kinds of jobs that this release defines' }
})

export const batch = object({
  id: text,
  state: text,
  jobs: integer,
  left: integer,
  failed: integer,
  next: textOrNull,
  addedAt: integer,
  endedAt: integerOrNull
})

export const lanes = object({
  items: listOf(
    object({
      lane: text,
      paused: flag,
      waiting: integer,
      running: integer,
      oldestMs: integerOrNull,
      concurrent: integerOrNull,
      rate: objectOrNull({ max: integer, perS: integer, burst: integer })
    })
  ),
  next: textOrNull
})

export const added = object({ id: text, name: text })

export const schedules = object({
  schedules: listOf(
    object({
      name: text,
      cron: text,
      zone: text,
      declared: flag,
      job: textOrNull,
      catchUp: textOrNull,
      overlap: textOrNull,
      paused: flag,
      next: listOf(integer),
      lastSlot: integerOrNull,
      lastSkipped: integerOrNull,
      waiting: integer,
      lastJob: objectOrNull({ id: text, state: text })
    })
  )
})
