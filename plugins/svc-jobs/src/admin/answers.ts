/** What the admin routes answer. An undeclared field never leaves. Times are epoch ms. */
import { flag, integer, integerOrNull, listOf, object, objectOrNull, text, textOrNull } from 'svc-kernel/schemas'

const listed = {
  id: text,
  name: text,
  lane: text,
  state: text,
  traceparent: textOrNull,
  cause: objectOrNull({ user: textOrNull, token: textOrNull, requestId: textOrNull, job: textOrNull }),
  attempts: integer,
  interruptions: integer,
  reason: textOrNull,
  addedAt: integer,
  dueAt: integer,
  startedAt: integerOrNull,
  endedAt: integerOrNull
}

export const job = object({ ...listed, body: { description: 'values that are named like secrets are masked' } })

export const jobs = object({ items: listOf(object(listed)), next: textOrNull })

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
