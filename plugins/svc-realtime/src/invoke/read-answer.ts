/** Turns what a route answered over HTTP into a JSON-RPC result or failure. Pure. */
import { RpcCode } from '../protocol/codes.ts'
import { RpcFailure } from '../protocol/rpc-failure.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** The `result` of `api.request`. */
export interface CallResult {
  readonly status: number
  /** Those that say something about the answer itself. */
  readonly headers: Readonly<Record<string, string>>
  /** As the route sent it: a JSON value, a text, or `null` where there is none. */
  readonly body: unknown
}

const SHOWN = ['location', 'etag', 'last-modified', 'link', 'idempotency-replayed', 'retry-after']
const BYTES = 'the route answers with bytes; ask for them over HTTP'

export function readAnswer({ status, headers, body }: HttpAnswer): CallResult | RpcFailure {
  const value = bodyValue(body, headers['content-type'])
  if (status >= 400) return failureOf(status, value instanceof RpcFailure ? null : value, shown(headers))
  return value instanceof RpcFailure ? value : { status, headers: shown(headers), body: value }
}

function bodyValue(body: Buffer, contentType: unknown): unknown {
  if (body.length === 0) return null
  const type = String(contentType ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase() as string
  if (type === 'application/json' || type.endsWith('+json')) return parsed(body)
  return type.startsWith('text/') ? body.toString() : new RpcFailure(RpcCode.APPLICATION, BYTES, { status: 406 })
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return new RpcFailure(RpcCode.INTERNAL, 'internal error', { status: 500 })
  }
}

/** The error body of HTTP travels as `data`; `data.status` is always there. */
function failureOf(status: number, body: unknown, headers: Readonly<Record<string, string>>): RpcFailure {
  const { statusCode: _, message, ...told } = (typeof body === 'object' && body !== null ? body : {}) as Body
  const data = { ...told, status, ...(Object.keys(headers).length === 0 ? {} : { headers }) }
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
