/** The URL and the headers of a request as they may be kept: nothing that proves who somebody is. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { isSecretParameter, MASK, safeText, shownUrl } from 'svc-kernel/plugin'

/** A URL ends here. */
const LONGEST = 1024

/**
 * @param url as requested
 * @param params of the route, decoded
 * @param isRouted `false` where no route answered
 */
export function redactedUrl(url: string, params: Readonly<Record<string, unknown>> | null, isRouted = true): string {
  const seen = url.slice(0, 2 * LONGEST)
  const query = seen.indexOf('?')
  const path = query === -1 ? seen : seen.slice(0, query)
  const known = params === null ? path : withoutSecrets(path, params)
  const whole = shownUrl(query === -1 ? known : known + seen.slice(query), isRouted)
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 3)}...` : whole
}

/** A value that cannot be found in the path takes the whole path with it: it may be there in another spelling. */
function withoutSecrets(path: string, params: Readonly<Record<string, unknown>>): string {
  let rest = path
  for (const name of Object.keys(params)) {
    const value = params[name]
    if (typeof value !== 'string' || value === '' || !isSecretParameter(name)) continue
    const segments = rest.split('/')
    const found = segments.map((segment) => (decoded(segment) === value ? MASK : segment))
    rest = found.includes(MASK) ? found.join('/') : MASK
  }
  return rest
}

/** `null` where it cannot be read. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Those whose values are stored. */
const SHOWN = ['accept', 'content-length', 'content-type', 'host', 'origin', 'user-agent'] as const
/** Those of which is stored that they came. */
const HIDDEN = [
  'authorization',
  'cookie',
  'idempotency-key',
  'proxy-authorization',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token'
] as const

const LONGEST_HEADER = 256

/** A value of a header that is named like a secret, and what precedes a host. */
const NAMED = /([\w.-]{1,128})=("[^"]*"|[^;,\s]*)/g
const USER_INFO = /\/\/[^/?#\s]*@/g

export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of SHOWN) {
    const value = headers[name]
    if (value !== undefined) kept[name] = withoutCredentials(value)
  }
  for (const name of HIDDEN) if (headers[name] !== undefined) kept[name] = MASK
  return kept
}

function withoutCredentials(value: string): string {
  const seen = value.slice(0, 4 * LONGEST_HEADER).replace(USER_INFO, `//${MASK}@`)
  const shown = seen.replace(NAMED, (pair, name: string) => (isSecretParameter(name) ? `${name}=${MASK}` : pair))
  return safeText(shown, Number.POSITIVE_INFINITY).slice(0, LONGEST_HEADER)
}
