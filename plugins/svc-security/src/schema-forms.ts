/** What the schemas of several options share. */

export const milliseconds = { type: 'integer', minimum: 1, maximum: 600_000 } as const
export const seconds = { type: 'integer', minimum: 0, maximum: 31_536_000 } as const
export const role = { type: 'string', format: 'role' } as const
export const text = { type: 'string', minLength: 1 } as const
export const longText = { ...text, maxLength: 2048 } as const

export const closed = <const Properties>(properties: Properties) =>
  ({ type: 'object', additionalProperties: false, properties }) as const
/** Gets its defaults also if it is not given. A section that is only `closed` switches a feature on if it is given. */
export const section = <const Properties>(properties: Properties) => ({ ...closed(properties), default: {} }) as const
