/**
 * What log and audit may read of an error, whatever was thrown: plain strings, bounded, without control characters. An
 * answer never shows it.
 */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const NOT_PLAIN = /[^\x20-\x7e]/
const LIMIT = 256

/** Text from outside, made fit for a log line or an audit field: control characters escaped, length bounded. */
export function printable(text: string): string {
  const cut = text.length > LIMIT ? `${text.slice(0, LIMIT - 3)}...` : text
  if (!NOT_PLAIN.test(cut)) return cut
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

/**
 * A voter may throw an object whose getters throw, and the logger must survive it.
 *
 * @param withStack reading a stack makes it, at several times the cost of all the rest
 */
export function readableError(thrown: unknown, withStack = true): ReadableError {
  try {
    if (!(thrown instanceof Error)) return { type: typeof thrown, message: printable(textOf(thrown)) }
    const { name, message, code, statusCode, reason } = thrown as Error & Readonly<Record<string, unknown>>
    const stack = withStack ? thrown.stack : undefined
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
  return typeof message === 'string' ? message : 'an object that is not an Error'
}
