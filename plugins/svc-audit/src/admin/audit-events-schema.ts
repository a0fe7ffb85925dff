/** The listing's query and answer. An undeclared field never leaves. */
import { ACTIONS, CATEGORIES } from '../catalogue/catalogue.ts'

const time = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const textOrNull = { type: ['string', 'null'] } as const

export const querySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    category: { enum: CATEGORIES },
    action: { enum: ACTIONS },
    outcome: { enum: ['success', 'failure', 'denied'] },
    actor: { type: 'string', minLength: 1, maxLength: 1024 },
    since: time,
    until: time,
    limit: { type: 'integer', default: 100 },
    cursor: { type: 'string', minLength: 1, maxLength: 200 }
  }
} as const

const eventSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    ts: { type: 'integer' },
    category: { type: 'string' },
    action: { type: 'string' },
    outcome: { type: 'string' },
    actor: textOrNull,
    resource: textOrNull,
    reason: textOrNull,
    ip: textOrNull,
    userAgent: textOrNull,
    requestId: textOrNull,
    metadata: { type: 'object', additionalProperties: true }
  }
} as const

export const answerSchema = {
  200: {
    type: 'object',
    properties: {
      items: { type: 'array', items: eventSchema },
      limit: { type: 'integer' },
      hasNext: { type: 'boolean' },
      nextCursor: textOrNull
    }
  }
} as const
