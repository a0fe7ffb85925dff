/**
 * A validator that takes requests as they came. Fastify's own makes texts of
 * numbers and of null, and removes unknown keys in silence: a misspelt filter
 * would widen the answer, a misspelt field would be lost. Texts of a query are read as their types.
 */
import { Ajv, type ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { boundedValidation } from 'svc-kernel'
import { readDate } from '../entities/scalars.ts'

const formats = { 'date-time': (text: string) => readDate(text) !== undefined }
const bodies = boundedValidation({ allowUnionTypes: true, formats }, spelledOut)
const texts = new Ajv({ allErrors: true, coerceTypes: 'array', useDefaults: true, formats })

/** For a route's `validatorCompiler`: the faults of a body are reported, each with its path. */
export const validateExactly: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return bodies(schema as object)
  const validate = texts.compile(schema as object)
  return (data) => (validate(data) ? true : { error: (validate.errors ?? []).map(spelledOut) })
}

/** Lists what is allowed where the validator only says that there is such a list. */
function spelledOut(error: ErrorObject) {
  const { keyword, params, instancePath } = error
  if (keyword === 'enum')
    return { ...error, message: `must be one of ${(params.allowedValues as string[]).join(', ')}` }
  if (keyword === 'format') return { ...error, message: 'must be a moment in ISO 8601 with a time zone' }
  return { ...error, instancePath }
}
