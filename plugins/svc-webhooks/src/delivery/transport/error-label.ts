/**
 * Labels of failed attempts, a few fixed texts: they are stored and shown, and must not say what the network inside looks
 * like, nor repeat what an error of a library carries.
 */
import type { SsrfReason } from '../../ssrf/ssrf-error.ts'

export type ErrorLabel =
  | 'timeout'
  | 'name resolution failed'
  | 'connection refused'
  | 'connection reset'
  | 'connection closed'
  | 'host unreachable'
  | 'certificate refused'
  | 'tls failure'
  | 'invalid response'
  | 'closed'
  | 'connection failed'

const BY_CODE: ReadonlyMap<string, ErrorLabel> = new Map<string, ErrorLabel>([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['ETIMEDOUT', 'timeout'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'host unreachable'],
  ['EADDRNOTAVAIL', 'host unreachable'],
  ['EPROTO', 'tls failure'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'invalid response'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'invalid response']
])

/** Names of OpenSSL's verdicts on a certificate, and Node's on its name. */
const CERTIFICATE = /^(?:ERR_TLS_CERT_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_MISMATCH|INVALID_CA)/

export function errorLabel(error: unknown): ErrorLabel {
  const { code, name, message } = readError(error)
  const known = BY_CODE.get(code)
  if (known !== undefined) return known
  // undici has only the text to tell a peer that hung up from one that answers rubbish.
  if (code === 'UND_ERR_SOCKET') return message === 'other side closed' ? 'connection closed' : 'invalid response'
  if (name === 'HTTPParserError') return 'invalid response'
  if (CERTIFICATE.test(code)) return 'certificate refused'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls failure'
  return 'connection failed'
}

const REFUSALS: Readonly<Record<SsrfReason, string>> = Object.freeze({
  url: 'url refused: unreadable',
  scheme: 'url refused: scheme',
  credentials: 'url refused: credentials',
  address: 'url refused: address',
  unresolvable: 'url refused: no such host',
  resolver: 'name resolution failed'
})

/** The label of an attempt that was abandoned. */
export function refusalLabel(reason: SsrfReason): string {
  return REFUSALS[reason]
}

function readError(error: unknown): { code: string; name: string; message: string } {
  if (!(error instanceof Error)) return { code: '', name: '', message: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, name: error.name, message: error.message }
}
