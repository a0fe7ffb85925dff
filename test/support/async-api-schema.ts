/** AsyncAPI 3.0 as its authors write it in JSON Schema, and references that lead somewhere, as judges of a document. */
import asyncApi from '@asyncapi/specs'
import { Ajv } from 'ajv'

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const { $schema: _, ...schema } = asyncApi.schemasWithoutId['3.0.0'] as { $schema: string }
const validate = ajv.compile(schema)

/** @returns what is wrong with the document; empty where it is valid */
export function asyncApiFaults(document: object): string[] {
  validate(document)
  const broken = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  const lost = references(document).filter((reference) => resolve(document, reference) === undefined)
  return [...broken, ...lost.map((reference) => `${reference} leads nowhere`)]
}

/** @param reference of the document itself, such as `#/channels/echo` */
export function resolve(document: object, reference: string): unknown {
  const [start, ...keys] = reference.split('/')
  if (start !== '#') return undefined
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as { $ref?: unknown }
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(references)]
}
