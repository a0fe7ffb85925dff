/** What the routes of svc-limits answer. An undeclared field never leaves. */
import { integer, listOf, object, text } from 'svc-kernel/schemas'

export const limits = object({
  /** The driver that keeps what is spent: `memory`, `sqlorm`, `docdb`, or `parts` for a store of the application's. */
  store: text,
  limits: listOf(
    object({
      name: text,
      count: { ...integer, description: 'requests in a period' },
      perS: { ...integer, description: 'the period, in seconds' },
      burst: { ...integer, description: 'requests that may come at once' },
      onOutage: text,
      operations: listOf(object({ name: text, by: text }))
    })
  )
})

export const spending = object({
  limit: text,
  /** Those who have spent most, first. */
  callers: listOf(
    object({
      caller: { ...text, description: 'address, identity or key id, or the hash of what a function returned' },
      spent: { ...integer, description: 'units that are not yet paid back' },
      remaining: { ...integer, description: 'units that can be spent now' },
      resetS: { ...integer, description: 'seconds until all is paid back' }
    })
  )
})
