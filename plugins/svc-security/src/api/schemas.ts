/** JSON Schemas of what our own routes take and answer: an answer shows the properties it declares and no others. */

export const text = { type: 'string' } as const
export const textOrNull = { type: ['string', 'null'] } as const
export const texts = { type: 'array', items: text } as const
export const flag = { type: 'boolean' } as const
export const integer = { type: 'integer' } as const
export const timeOrNull = { type: ['integer', 'null'] } as const

/** A text with as many characters at the most. */
export const textUpTo = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const

export const listOf = <const Items>(items: Items) => ({ type: 'array', items }) as const

export const object = <const Properties>(properties: Properties) => ({ type: 'object', properties }) as const

/** A body, or a query, with these keys and no others. */
export const closed = <const Required extends object, const Optional extends object = object>(
  required: Required,
  optional?: Optional
) =>
  ({
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional } as Required & Optional
  }) as const

/** The answer with status 200. */
export const answer = <const Properties>(properties: Properties) => ({ 200: object(properties) }) as const

/** A page of a listing, beside its items. */
export const paging = { limit: integer, offset: integer, hasNext: flag } as const
