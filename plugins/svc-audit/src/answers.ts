/** What the routes of the journal answer. An undeclared field never leaves. */
import { anyObject, flag, integer, listOf, object, text, textOrNull, texts } from 'svc-kernel/schemas'

export const auditEvent = object({
  id: text,
  ts: { ...integer, description: 'epoch ms' },
  category: text,
  action: text,
  outcome: text,
  actor: textOrNull,
  resource: textOrNull,
  reason: textOrNull,
  ip: textOrNull,
  userAgent: textOrNull,
  requestId: textOrNull,
  metadata: anyObject
})

export const auditEvents = object({
  items: listOf(auditEvent),
  limit: integer,
  hasNext: flag,
  nextCursor: textOrNull
})

export const catalogue = object({
  actions: listOf(object({ action: text, category: text, outcomes: texts, when: text }))
})
