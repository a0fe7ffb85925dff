/** Parameters and answers of the delivery routes. An undeclared field never leaves. */
import { idParams } from './endpoint-schemas.ts'

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const

export const deliveriesAnswer = {
  type: 'object',
  properties: {
    enabled: { type: 'boolean', description: 'present, and false, where webhooks are switched off' },
    deliveries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ts: count,
          messageId: text,
          type: text,
          attempt: count,
          ok: { type: 'boolean' },
          status: { type: ['integer', 'null'] },
          error: textOrNull,
          durationMs: count,
          outcome: text,
          requestBody: text,
          responseBody: textOrNull
        }
      }
    }
  }
} as const

export const messageParams = {
  type: 'object',
  required: ['id', 'messageId'],
  properties: { ...idParams.properties, messageId: { type: 'string', minLength: 1, maxLength: 200 } }
} as const

export const sentAnswer = { type: 'object', properties: { messageId: text } } as const
