/** The URL and the headers of a request as they may be kept: nothing that proves who somebody is. Pure. */
import type { IncomingHttpHeaders } from 'node:http'

/** Names of parameters whose values are credentials, or may be. */
const SECRET =
  /auth|bearer|code|cookie|credential|jwt|key|nonce|otp|pass|pin|secret|session|sig|state|ticket|token|verifier/i

export const REDACTED = '[redacted]'

/** A URL ends here. */
const LONGEST = 1024

/** Whether a parameter of this name is kept without its value. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/**
 * @param url as requested
 * @param params of the route, decoded
 */
export function redactedUrl(url: string, params: Readonly<Record<string, unknown>> | null): string {
  const query = url.indexOf('?')
  let path = query === -1 ? url : url.slice(0, query)
  if (params !== null) path = withoutSecrets(path, params)
  const whole = query === -1 ? path : `${path}?${redactedQuery(url.slice(query + 1))}`
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 3)}...` : whole
}

/** A value that cannot be found in the path takes the whole path with it: it may be there in another spelling. */
function withoutSecrets(path: string, params: Readonly<Record<string, unknown>>): string {
  let rest = path
  for (const name of Object.keys(params)) {
    const value = params[name]
    if (typeof value !== 'string' || value === '' || !isSecretName(name)) continue
    const segments = rest.split('/')
    const found = segments.map((segment) => (decoded(segment) === value ? REDACTED : segment))
    rest = found.includes(REDACTED) ? found.join('/') : REDACTED
  }
  return rest
}

function redactedQuery(query: string): string {
  return query
    .slice(0, LONGEST)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      if (equals === -1) return pair
      const name = pair.slice(0, equals)
      return isSecretName(decoded(name) ?? 'secret') ? `${name}=${REDACTED}` : pair
    })
    .join('&')
}

/** `null` where it cannot be read. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Those whose values are kept. */
const SHOWN = ['accept', 'content-length', 'content-type', 'host', 'origin', 'user-agent'] as const
/** Those of which is kept that they came. */
const HIDDEN = ['authorization', 'cookie', 'idempotency-key', 'x-csrf-token'] as const

const LONGEST_HEADER = 256

export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of SHOWN) {
    const value = headers[name]
    if (value !== undefined) kept[name] = value.length > LONGEST_HEADER ? value.slice(0, LONGEST_HEADER) : value
  }
  for (const name of HIDDEN) if (headers[name] !== undefined) kept[name] = REDACTED
  return kept
}
