/**
 * What the log and the audit may read of an error, whatever was thrown: plain strings, and beside the uniform text of a
 * refusal its true cause and whom it named. An answer never shows either.
 */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const LIMIT = 256

/** Text from outside, made fit for a log line or an audit field: control characters escaped, length bounded. */
export function printable(text: string): string {
  const cut = text.length > LIMIT ? `${text.slice(0, LIMIT - 3)}...` : text
  return cut.replace(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export interface ReadableError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly statusCode?: number
  /** The true cause behind a uniform text. */
  readonly reason?: string
  readonly stack?: string
}

/** A voter may throw an object whose getters throw, and the logger must survive it. */
export function readableError(thrown: unknown): ReadableError {
  try {
    if (!(thrown instanceof Error)) return { type: typeof thrown, message: printable(textOf(thrown)) }
    const { name, message, stack, code, statusCode, reason } = thrown as Error & Readonly<Record<string, unknown>>
    return {
      type: String(name),
      message: printable(String(message)),
      ...(typeof code === 'string' ? { code: printable(code) } : {}),
      ...(typeof statusCode === 'number' ? { statusCode } : {}),
      ...(typeof reason === 'string' ? { reason: printable(reason) } : {}),
      ...(typeof stack === 'string' ? { stack } : {})
    }
  } catch {
    return { type: typeof thrown, message: 'an unreadable error' }
  }
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  const { message } = thrown as { message?: unknown }
  return typeof message === 'string' ? message : 'an object that is no Error'
}

/** Carries the true cause of a refusal beside its text: the audit reads `reason`. */
export function refusedFor<Refused extends Error>(
  error: Refused,
  reason: string
): Refused & { readonly reason: string } {
  return Object.assign(error, { reason })
}

/**
 * Carries whom a refused credential named, as submitted, whether or not there is such a user.
 *
 * @returns the same error, to be thrown on
 */
export function submittedBy(error: unknown, identifier: string): unknown {
  return error instanceof Error && Object.isExtensible(error) ? Object.assign(error, { actor: identifier }) : error
}

/** @returns `null` where no user was named, or it cannot be read */
export function submitterOf(error: unknown): string | null {
  try {
    const { actor } = error as { actor?: unknown }
    return typeof actor === 'string' ? actor : null
  } catch {
    return null
  }
}
