/** What goes into `api.request` and what comes out: its parameters, and the answer of a route as JSON-RPC carries it. Pure. */
import { invalidParams, RpcCode, RpcFailure } from '../json-rpc.ts'

export interface Call {
  readonly method: string
  /** Path and query as on a request line, not normalised. */
  readonly path: string
  /** JSON text; `null` without a body. */
  readonly body: string | null
  readonly idempotencyKey: string | null
}

const KNOWN = new Set(['path', 'method', 'body', 'idempotencyKey'])
const MUTATIONS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const MAX_PATH = 2048
/** As Node's parser takes a request target: printable ASCII without spaces. */
const TARGET = /^\/[\x21-\x7e]*$/
const KEY = /^[\x21-\x7e]{1,255}$/

/** True for a request that changes something, and so must carry a key. */
export function isMutation(method: string): boolean {
  return MUTATIONS.has(method)
}

/** Reads the parameters of `api.request`. Strict: an unknown one, or one of another type, is refused. */
export function readCall(params: Readonly<Record<string, unknown>>): Call | RpcFailure {
  const { path, method = 'GET', body, idempotencyKey = null } = params
  const unknown = Object.keys(params).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) return invalidParams(`unknown parameter; known: ${[...KNOWN].join(', ')}`)
  if (typeof path !== 'string' || path.length > MAX_PATH || !TARGET.test(path)) {
    return invalidParams('path must begin with / and be percent-encoded, up to 2048 characters')
  }
  if (typeof method !== 'string' || (method !== 'GET' && !isMutation(method))) {
    return invalidParams(`method must be GET, ${[...MUTATIONS].join(', ')}`)
  }
  if (idempotencyKey !== null && (typeof idempotencyKey !== 'string' || !KEY.test(idempotencyKey))) {
    return invalidParams('idempotencyKey must be 1 to 255 printable characters without spaces')
  }
  if (isMutation(method) && idempotencyKey === null) return invalidParams(`idempotencyKey is required for ${method}`)
  if (!isMutation(method) && body !== undefined) return invalidParams(`${method} takes no body`)
  const text = body === undefined ? null : jsonText(body)
  return text === undefined ? invalidParams('body is nested too deeply') : { method, path, body: text, idempotencyKey }
}

function jsonText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body)
  } catch {
    return undefined
  }
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string | Buffer
}

/** The `result` of `api.request`. */
export interface CallResult {
  readonly status: number
  /** Those that say something about the answer itself. */
  readonly headers: Readonly<Record<string, string>>
  /** As the route sent it: a JSON value, a text, or `null` where there is none. */
  readonly body: unknown
}

const SHOWN = [
  'location',
  'etag',
  'last-modified',
  'link',
  'idempotency-replayed',
  'retry-after',
  'ratelimit-policy',
  'ratelimit'
]
const BYTES = 'the route answers with bytes; request it over HTTP'

/** Makes the result, or the failure, of what a route answered over HTTP. */
export function readAnswer({ status, headers, body }: HttpAnswer): CallResult | RpcFailure {
  const value = bodyValue(body, headers['content-type'])
  if (status >= 400) return failureOf(status, value instanceof RpcFailure ? null : value, shown(headers))
  return value instanceof RpcFailure ? value : { status, headers: shown(headers), body: value }
}

function bodyValue(body: string | Buffer, contentType: unknown): unknown {
  if (body.length === 0) return null
  const type = String(contentType ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase() as string
  if (type === 'application/json' || type.endsWith('+json')) return parsed(body)
  return type.startsWith('text/') ? body.toString() : new RpcFailure(RpcCode.APPLICATION, BYTES, { status: 406 })
}

function parsed(body: string | Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return new RpcFailure(RpcCode.INTERNAL, 'internal error', { status: 500 })
  }
}

/** The error body of HTTP travels as `data`; `data.status` is always there. */
function failureOf(status: number, body: unknown, headers: Readonly<Record<string, string>>): RpcFailure {
  const { statusCode: _, message, ...rest } = (typeof body === 'object' && body !== null ? body : {}) as Body
  const data = { ...rest, status, ...(Object.keys(headers).length === 0 ? {} : { headers }) }
  return new RpcFailure(codeOf(status), typeof message === 'string' ? message : 'the request was refused', data)
}

type Body = Readonly<Record<string, unknown>>

function codeOf(status: number): RpcCode {
  if (status === 401) return RpcCode.UNAUTHORISED
  if (status === 403) return RpcCode.FORBIDDEN
  return status === 500 ? RpcCode.INTERNAL : RpcCode.APPLICATION
}

function shown(headers: HttpAnswer['headers']): Record<string, string> {
  return Object.fromEntries(
    SHOWN.filter((name) => headers[name] !== undefined).map((name) => [name, String(headers[name])])
  )
}
