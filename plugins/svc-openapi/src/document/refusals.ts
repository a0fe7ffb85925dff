/** The answers of a route that its author did not write: what firewall, guard and validation refuse. Pure. */
import type { Operation } from './document.ts'

/** The one error body of the framework. */
export const errorSchema = Object.freeze({
  type: 'object',
  required: ['statusCode', 'code', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    code: { type: 'string', description: 'Stable error code: `SVC_<AREA>_<WHAT>`, or a code of Fastify.' },
    error: { type: 'string', description: 'Reason phrase of the status.' },
    message: { type: 'string' },
    details: {
      type: 'array',
      description: 'For a validation error: each place, and what is wrong there.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string', description: 'JSON Pointer.' }, message: { type: 'string' } }
      }
    }
  }
})

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

const responses = Object.freeze({
  Invalid: { description: 'The request does not match its schema.', content },
  Unauthorized: {
    description: 'The credential is missing or not valid.',
    headers: { 'WWW-Authenticate': { description: 'The challenge of the zone.', schema: { type: 'string' } } },
    content
  },
  Forbidden: { description: 'The caller is authenticated but not allowed.', content }
})

const reference = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` })

export const refusals = {
  responses,
  /** By status; the operation's own responses win over them. */
  of({ parameters, requestBody, security, 'x-guard': guard }: Operation): NonNullable<Operation['responses']> {
    const takesInput = requestBody !== undefined || (parameters ?? []).length > 0
    const needsProof = security !== undefined && !security.some((proof) => Object.keys(proof).length === 0)
    return {
      ...(takesInput ? { 400: reference('Invalid') } : {}),
      ...(needsProof ? { 401: reference('Unauthorized') } : {}),
      ...(guard === undefined ? {} : { 403: reference('Forbidden') })
    }
  }
}
