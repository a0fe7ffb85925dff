/**
 * A validator compiler that takes bodies as they came. Fastify's own turns numbers
 * into texts and removes unknown keys in silence; in an API of security, a body
 * means what it says or is refused. Parameters and headers are texts and are read as Fastify reads them.
 */
import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const bodies = new Ajv({ allErrors: true, useDefaults: true })
const texts = new Ajv({ coerceTypes: 'array', removeAdditional: true, useDefaults: true })

/** For `setValidatorCompiler` of an encapsulated scope. Bodies are bounded by `bodyLimit`, all their faults are told. */
export const strictBodies: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodies : texts).compile(schema as object)
