/** Queries and answers of the overview routes. An undeclared field never leaves. */

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const count = { type: 'integer' } as const
const flag = { type: 'boolean' } as const
const term = { type: 'string', minLength: 1, maxLength: 200 } as const

export const statsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    search: { ...term, description: 'part of the url or of the description' },
    q: { ...term, description: 'another name of search, as in the listing' }
  }
} as const

export const statsAnswer = {
  type: 'object',
  properties: {
    enabled: flag,
    total: count,
    active: count,
    disabled: count,
    failing: count,
    queue: { type: 'object', properties: { size: count, inFlight: count, dropped: count } }
  }
} as const

export const eventTypesAnswer = {
  type: 'object',
  properties: {
    enabled: flag,
    eventTypes: {
      type: 'array',
      items: {
        type: 'object',
        properties: { type: text, category: text, outcomes: texts, description: text, deliverable: flag }
      }
    },
    patterns: texts,
    signature: {
      type: 'object',
      properties: { version: text, algorithm: text, toleranceS: count, headers: texts }
    }
  }
} as const
