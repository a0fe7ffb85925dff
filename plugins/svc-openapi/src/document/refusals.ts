/**
 * The refusals of a route, by status: those of firewall, guard, parser and validation, which no author writes, and the
 * errors that the route and its hooks name. Pure.
 */
import type { RouteError } from 'svc-kernel/plugin'
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
    },
    current: {
      type: 'object',
      additionalProperties: true,
      description: 'For `SVC_HTTP_CHANGED`: the record as it is now.'
    },
    maxAge: { type: 'integer', description: 'Where a confirmation is enough: how old a login may be, in seconds.' },
    factors: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Where a confirmation is enough: the factors of which one is to be shown; absent, a password will do.'
    },
    traceId: { type: 'string', description: 'The trace of the request, if it has one: 32 hexadecimal digits.' }
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
  Forbidden: { description: 'The caller is authenticated but not allowed, or a page of another origin asks.', content },
  NotFound: { description: 'There is no such thing.', content },
  Conflict: { description: 'The state of the thing does not allow it.', content },
  TooLarge: { description: 'The body is larger than the route reads.', content },
  UnsupportedType: { description: 'The route does not read a body of this content type.', content },
  Unprocessable: { description: 'The request was understood, and its content is refused.', content },
  TooMany: {
    description: 'Too many requests.',
    headers: {
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' } },
      'RateLimit-Policy': {
        description: 'Of a rate limit: its quota `q` in a window of `w` seconds, for each limit by name.',
        schema: { type: 'string' }
      },
      RateLimit: {
        description: 'Of a rate limit: what remains, `r`, and the seconds `t` until all of it is back.',
        schema: { type: 'string' }
      }
    },
    content
  },
  Unavailable: { description: 'Something that the route needs does not answer. Try again later.', content }
})

type Name = keyof typeof responses

const NAMES: Readonly<Record<number, Name>> = {
  400: 'Invalid',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedType',
  422: 'Unprocessable',
  429: 'TooMany',
  503: 'Unavailable'
}

const SAFE = new Set(['get', 'head', 'options', 'trace'])

export const refusals = {
  responses,
  /** By status; the operation's own responses win over them. @param method in lower case */
  of(method: string, operation: Operation): NonNullable<Operation['responses']> {
    const { parameters, requestBody, security, 'x-guard': guard, 'x-errors': errors = [] } = operation
    const changes = !SAFE.has(method)
    const takesBody = changes || requestBody !== undefined
    const takesInput = takesBody || (parameters ?? []).length > 0
    const needsProof = security !== undefined && !security.some((proof) => Object.keys(proof).length === 0)
    const statuses = [
      ...(takesInput ? [400] : []),
      ...(needsProof ? [401] : []),
      // A proof is looked up in a store, which may not answer.
      ...(security === undefined ? [] : [503]),
      // A page of another origin may not make a browser change something with its credential.
      ...(guard === undefined && !(changes && security !== undefined) ? [] : [403]),
      ...(takesBody ? [413, 415] : []),
      ...errors.map(({ statusCode }) => statusCode)
    ]
    return Object.fromEntries([...new Set(statuses)].map((status) => [status, refusal(status, errors)]))
  }
}

function refusal(
  status: number,
  errors: readonly Required<RouteError>[]
): { description?: string; [key: string]: unknown } {
  const name = NAMES[status]
  const codes = errors.filter(({ statusCode }) => statusCode === status).map(({ code }) => `\`${code}\``)
  const named = codes.filter((code) => code !== GENERAL)
  if (name !== undefined && named.length === 0) return { $ref: `#/components/responses/${name}` }
  const general = name === undefined ? { description: 'An error.', content } : responses[name]
  return { ...general, description: `${general.description} Codes of this route: ${named.join(', ')}.` }
}

/** What the response already says. */
const GENERAL = '`SVC_HTTP_VALIDATION`'
