/**
 * Headers of an endpoint's own, such as the `authorization` that its receiver asks for: sent with every message, beside
 * what the sender says itself and never in place of it. Pure.
 */
import { BadHeaders } from '../errors.ts'
import type { EndpointHeaders } from './endpoint-credentials.ts'

export const MAX_HEADERS = 20
const MAX_NAME = 64
export const MAX_HEADER_VALUE = 4096
/** Names and values together: receivers take 8 KB of headers, ours among them. */
const MAX_BYTES = 6144

/** A token of RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Visible ASCII, with blanks and tabs between: what RFC 9110, section 5.5, lets every recipient read alike. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/** Of the message and of the connection, which the sender writes itself. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  // Of a browser's session: a receiver that wants a credential takes `authorization`.
  'cookie',
  'cookie2',
  // Who asks, as proxies say it to receivers that believe them.
  'forwarded',
  'via',
  'x-real-ip',
  'true-client-ip',
  'client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'fastly-client-ip',
  'x-azure-clientip',
  'x-remote-user',
  'remote-user',
  'x-original-host',
  'x-host',
  'x-remote-ip',
  'x-remote-addr',
  // Which request it is, for receivers that believe it instead of its first line.
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'x-original-uri'
])

const RESERVED_PREFIXES = [
  'webhook-',
  'svix-',
  'proxy-',
  'x-forwarded',
  'x-envoy-',
  'cf-connecting-',
  'cf-access-authenticated-',
  'cf-pseudo-',
  'x-amzn-oidc-',
  'x-goog-iap-',
  'x-goog-authenticated-',
  'x-ms-client-principal',
  'x-auth-request-',
  'sec-'
]

/**
 * The headers as they are stored: names in lower case.
 *
 * @throws BadHeaders (400), which names the header and never shows its value
 */
export function checkHeaders(given: EndpointHeaders): EndpointHeaders {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new BadHeaders('must be an object')
  const entries = Object.entries(given)
  if (entries.length > MAX_HEADERS) throw new BadHeaders(`are more than ${MAX_HEADERS}`)
  const kept = entries.map(([name, value]) => [checkName(name), checkValue(name, value)] as const)
  const names = new Set(kept.map(([name]) => name))
  if (names.size < kept.length) throw new BadHeaders('contain the same name twice, in different cases')
  if (kept.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0) > MAX_BYTES) {
    throw new BadHeaders(`have more than ${MAX_BYTES} bytes in all`)
  }
  // Without a prototype: a name such as `__proto__` is a header like any other.
  return Object.assign(Object.create(null), Object.fromEntries(kept)) as EndpointHeaders
}

function checkName(name: string): string {
  if (name.length > MAX_NAME || !NAME.test(name)) throw new BadHeaders('contain a name that is not valid or too long')
  const lower = name.toLowerCase()
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    throw new BadHeaders(`cannot contain "${lower}", which is reserved`)
  }
  return lower
}

function checkValue(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= MAX_HEADER_VALUE && VALUE.test(value)) return value
  throw new BadHeaders(`need 1 to ${MAX_HEADER_VALUE} visible ASCII characters as the value of "${name.toLowerCase()}"`)
}
