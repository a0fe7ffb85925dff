/**
 * The answer to a failed authentication: the same 401 whatever the cause. Only "come back later" (429) and "not
 * available" (503) differ, with their `Retry-After`.
 */
import { dpopChallenge } from '../dpop/dpop-challenge.ts'
import { DpopNonceDue, InvalidDpopProof } from '../dpop/errors.ts'
import {
  AuthenticationUnavailable,
  DeadlineExceeded,
  InvalidCredentials,
  InvalidSession,
  InvalidToken,
  Throttled,
  Unauthenticated
} from '../errors.ts'
import { readableError, refusedFor } from '../journal/audit-writer.ts'

/**
 * Refusals with their own text per kind of credential. The answer is a new error, because the original may carry its
 * cause.
 */
const UNIFORM = [InvalidCredentials, InvalidToken, InvalidSession]

export class Refusal {
  readonly error: Error
  readonly status: 401 | 429 | 503
  readonly retryAfter: string | null
  /** Headers of the answer that say more than the challenge of the zone; `null` where none does. */
  readonly headers: Readonly<Record<string, string>> | null

  constructor(
    status: 401 | 429 | 503,
    error: Error,
    retryAfter: string | null = null,
    headers: Readonly<Record<string, string>> | null = null
  ) {
    this.status = status
    this.error = error
    this.retryAfter = retryAfter
    this.headers = headers
  }
}

/** The credential is missing or not valid. */
export function unauthenticated(): Refusal {
  return new Refusal(401, new Unauthenticated())
}

/** Reads anything that an authenticator threw; an unreadable value becomes a 401. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof DeadlineExceeded) return new Refusal(503, new AuthenticationUnavailable())
  try {
    const { statusCode } = thrown as { statusCode?: unknown }
    if (statusCode !== 429 && statusCode !== 503) return refused(thrown)
    if (statusCode === 503) return new Refusal(503, unavailable(thrown), retryAfterOf(thrown))
    return new Refusal(429, thrown instanceof Error ? thrown : new Throttled(), retryAfterOf(thrown))
  } catch {
    return unauthenticated()
  }
}

/** The text of a custom authenticator about an outage goes to the log only, because it may name internals. */
function unavailable(thrown: unknown): Error {
  const { type, code, message } = readableError(thrown, false)
  if (thrown instanceof Error && code?.startsWith('SVC_') === true) return thrown
  return refusedFor(new AuthenticationUnavailable(), `${type}: ${message}`)
}

function refused(thrown: unknown): Refusal {
  if (thrown instanceof InvalidDpopProof) return unproven('invalid_dpop_proof', {})
  if (thrown instanceof DpopNonceDue) return unproven('use_dpop_nonce', headersOf(thrown))
  const Uniform = UNIFORM.find((kind) => thrown instanceof kind) ?? Unauthenticated
  return new Refusal(401, new Uniform())
}

/** That the proof of its key is refused, a caller may know: it makes the next one by that (RFC 9449, 7.1 and 9). */
function unproven(cause: string, headers: Readonly<Record<string, string>>): Refusal {
  return new Refusal(401, new InvalidToken(), null, { 'www-authenticate': dpopChallenge(cause), ...headers })
}

function headersOf(error: Error): Readonly<Record<string, string>> {
  return (error as { headers?: Readonly<Record<string, string>> }).headers ?? {}
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), from the error's headers or its own field. */
function retryAfterOf(thrown: unknown): string | null {
  const { headers, retryAfter } = thrown as { headers?: Record<string, unknown>; retryAfter?: unknown }
  const value = headers?.['retry-after'] ?? headers?.['Retry-After'] ?? retryAfter
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? String(Math.ceil(value)) : null
  return typeof value === 'string' && /^[\w ,:+-]+$/.test(value) ? value : null
}
