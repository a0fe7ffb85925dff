/** What the routes of the portal answer, apart from those of endpoints. An undeclared field never leaves. */
import { anyObject, integer, integerOrNull, listOf, mapOf, object, text, textOrNull, texts } from 'svc-kernel/schemas'

export const session = object({
  organization: text,
  name: text,
  expiresAt: { ...integer, description: 'epoch ms' },
  locale: text,
  theme: mapOf({ anyOf: [text, object({ light: text, dark: text })] }),
  texts: mapOf(text),
  keys: { type: ['array', 'null'], items: text, description: 'permissions that keys may have; null: there are no keys' }
})

export const entered = object({ token: text, session })

const key = object({
  id: text,
  name: textOrNull,
  permissions: texts,
  createdAt: integer,
  expiresAt: integerOrNull,
  lastUsedAt: integerOrNull
})

export const keys = object({ keys: listOf(key) })
export const newKey = object({ key, token: text })

export const eventTypes = object({
  types: listOf(
    object({
      type: text,
      version: integer,
      description: textOrNull,
      schema: { ...anyObject, type: ['object', 'null'], description: 'JSON Schema of the data' },
      example: {}
    })
  )
})

export const done = object({ ok: { type: 'boolean' } })
