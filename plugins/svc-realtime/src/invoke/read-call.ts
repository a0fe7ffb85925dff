/** Reads the parameters of `api.request`. Strict: an unknown one, or one of another type, is refused. */
import { invalidParams, type RpcFailure } from '../protocol/rpc-failure.ts'

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
