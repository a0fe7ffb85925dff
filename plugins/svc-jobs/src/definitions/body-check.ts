/** Checks the body of a job, by JSON Schema or Standard Schema: when it is added, and again before it runs. */
import type { StandardSchema } from 'svc-kernel'
import {
  boundedValidation,
  type Checked,
  isStandardSchema,
  type SchemaFault,
  standardValidator
} from 'svc-kernel/plugin'
import { InvalidJobBody } from '../errors.ts'

const jsonSchema = boundedValidation({ useDefaults: true })

/** @returns the body as the schema makes it; a promise where a check of the schema is asynchronous @throws InvalidJobBody */
export type BodyCheck = (body: unknown) => unknown

export function bodyCheck(name: string, schema: unknown): BodyCheck {
  if (schema === undefined) return (body) => body
  if (isStandardSchema(schema)) return standardCheck(name, schema)
  const validate = jsonSchema(schema as object)
  return (given) => {
    // Defaults are filled in, and the caller keeps what it gave.
    const body = structuredClone(given)
    const verdict = validate(body)
    if (verdict === true) return body
    const { error } = verdict
    throw invalid(name, Array.isArray(error) ? error : [])
  }
}

function standardCheck(name: string, schema: StandardSchema): BodyCheck {
  const validate = standardValidator(schema)
  const take = ({ error, ...rest }: Checked): unknown => {
    if (error !== undefined) throw invalid(name, error)
    return (rest as { value: unknown }).value
  }
  return (body) => {
    const checked = validate(body)
    return checked instanceof Promise ? checked.then(take) : take(checked)
  }
}

/** How many faults the sentence names. */
const NAMED = 5

function invalid(name: string, faults: readonly Partial<SchemaFault>[]): Error {
  const named = faults
    .slice(0, NAMED)
    .map(({ instancePath = '', message = 'is not valid' }) => `body${instancePath} ${message}`)
  return new InvalidJobBody(name, named.join('; ') || 'it is too large to say more')
}
