/** Checks a value that did not come by HTTP, such as the body of a job, by JSON Schema or Standard Schema. */
import { boundedValidation } from './route-schemas.ts'
import {
  type Checked,
  isStandardSchema,
  type SchemaFault,
  type StandardSchema,
  standardValidator
} from './standard-schema.ts'

const jsonSchema = boundedValidation({ useDefaults: true })

/** @returns the value as the schema makes it; a promise where a check of the schema is asynchronous @throws what `refuse` makes */
export type ValueCheck = (value: unknown) => unknown

/** What a value is called in the findings, and the error that they make. */
export interface ValueRefusal {
  /** Such as `body`: the findings begin with it. */
  readonly of: string
  readonly refuse: (findings: string) => Error
}

/** @param schema `undefined`: every value passes */
export function valueCheck(schema: unknown, refusal: ValueRefusal): ValueCheck {
  if (schema === undefined) return (value) => value
  if (isStandardSchema(schema)) return standardCheck(schema, refusal)
  const validate = jsonSchema(schema as object)
  return (given) => {
    // Defaults are filled in, and the caller keeps what it gave.
    const value = structuredClone(given)
    const verdict = validate(value)
    if (verdict === true) return value
    const { error } = verdict
    throw refused(refusal, Array.isArray(error) ? error : [])
  }
}

function standardCheck(schema: StandardSchema, refusal: ValueRefusal): ValueCheck {
  const validate = standardValidator(schema)
  const take = ({ error, ...rest }: Checked): unknown => {
    if (error !== undefined) throw refused(refusal, error)
    return (rest as { value: unknown }).value
  }
  return (value) => {
    const checked = validate(value)
    return checked instanceof Promise ? checked.then(take) : take(checked)
  }
}

/** How many faults the sentence names. */
const NAMED = 5

function refused({ of, refuse }: ValueRefusal, faults: readonly Partial<SchemaFault>[]): Error {
  const named = faults
    .slice(0, NAMED)
    .map(({ instancePath = '', message = 'is not valid' }) => `${of}${instancePath} ${message}`)
  return refuse(named.join('; ') || 'it is too large to say more')
}
