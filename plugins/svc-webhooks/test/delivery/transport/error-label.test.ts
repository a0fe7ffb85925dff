/** Errors of every layer, and the fixed word that is kept of each. */
import t from 'tap'
import { errors } from 'undici'
import { errorLabel, refusalLabel } from '../../../src/delivery/transport/error-label.ts'

const rows: readonly [error: unknown, word: string][] = [
  [withCode('ECONNREFUSED'), 'connection refused'],
  [withCode('ECONNRESET'), 'connection reset'],
  [withCode('EPIPE'), 'connection reset'],
  [withCode('ETIMEDOUT'), 'timeout'],
  [withCode('EHOSTUNREACH'), 'host unreachable'],
  [withCode('ENETUNREACH'), 'host unreachable'],
  [withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate refused'],
  [withCode('CERT_HAS_EXPIRED'), 'certificate refused'],
  [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate refused'],
  [withCode('SELF_SIGNED_CERT_IN_CHAIN'), 'certificate refused'],
  [withCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'certificate refused'],
  [withCode('EPROTO'), 'tls failure'],
  [withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls failure'],
  [withCode('ERR_TLS_HANDSHAKE_TIMEOUT'), 'tls failure'],
  [new errors.SocketError('other side closed'), 'connection closed'],
  [new errors.SocketError('bad response'), 'invalid response'],
  [new errors.HTTPParserError('no protocol'), 'invalid response'],
  [new errors.HeadersOverflowError(), 'invalid response'],
  [new errors.ResponseContentLengthMismatchError(), 'invalid response'],
  [new errors.ClientDestroyedError(), 'connection failed'],
  [new Error('connect ECONNREFUSED 10.0.0.1:22'), 'connection failed'],
  [Object.assign(new Error(), { code: 7 }), 'connection failed'],
  [withCode('constructor'), 'connection failed'],
  ['ECONNREFUSED', 'connection failed'],
  [null, 'connection failed']
]

function withCode(code: string): Error {
  return Object.assign(new Error('10.0.0.1:22'), { code })
}

for (const [error, word] of rows) t.equal(errorLabel(error), word, String(error))

t.test('several addresses that all fail are one failure', async (t) => {
  const error = Object.assign(new AggregateError([withCode('ECONNREFUSED')]), { code: 'ECONNREFUSED' })
  t.equal(errorLabel(error), 'connection refused')
})

t.test('refusals are told apart', async (t) => {
  const reasons = ['url', 'scheme', 'credentials', 'address', 'unresolvable', 'resolver'] as const
  t.equal(new Set(reasons.map(refusalLabel)).size, reasons.length)
})
