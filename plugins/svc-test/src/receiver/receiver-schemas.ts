/** Parameters and answers of the receiver. */

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const

/** One secret: given twice, it is not guessed which one is meant (400). */
export const secretQuery = {
  type: 'object',
  properties: { secret: { type: 'string', maxLength: 200 } }
} as const

export const slowQuery = {
  type: 'object',
  required: ['ms'],
  properties: { ...secretQuery.properties, ms: { type: 'integer', minimum: 0, maximum: 600_000 } }
} as const

export const statusParams = {
  type: 'object',
  required: ['code'],
  properties: { code: { type: 'integer', minimum: 200, maximum: 599 } }
} as const

export const receivedAnswer = {
  200: {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      received: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            at: { type: 'integer' },
            route: text,
            id: textOrNull,
            type: textOrNull,
            verified: { type: ['boolean', 'null'] },
            reason: textOrNull,
            repeat: { type: 'boolean' },
            status: { type: 'integer' },
            headers: { type: 'object', additionalProperties: text },
            body: text
          }
        }
      }
    }
  }
} as const
