/** What the routes of accounts answer. */
import { flag, integer, integerOrNull, listOf, object, text, texts } from 'svc-kernel/schemas'

/** Whether or not there is such an account. */
export const accepted = object({ ok: flag })
export const done = object({ ok: flag })
export const named = object({ identifier: text })
export const state = object({ identifier: text, verified: flag, deleteAt: integerOrNull })
export const going = object({ deleteAt: integer })
export const invitations = object({
  invitations: listOf(object({ ref: text, address: text, roles: texts, invitedAt: integer, expiresAt: integer }))
})
/** One key for each part of the data. */
export const archive = { type: 'object', additionalProperties: true } as const
