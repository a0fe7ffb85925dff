/** What a value of each type is as JSON, for exports, requests and answers. */
import type { FieldType } from '../entity/entity-definition.ts'

/** `json` is not among them: it has no type of its own. */
export const SCALAR_SCHEMAS: Readonly<Record<Exclude<FieldType, 'json'>, Readonly<Record<string, unknown>>>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  integer: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  id: { type: 'string' }
}
