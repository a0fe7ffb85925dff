/**
 * Whatever was thrown, as plain strings: a voter may throw an object whose
 * getters throw, and the logger must survive it.
 */
import { printable } from './printable.ts'

export interface ReadableError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly statusCode?: number
  /** The true cause behind a uniform text. */
  readonly reason?: string
  readonly stack?: string
}

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
