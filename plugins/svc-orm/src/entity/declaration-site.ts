/** Where a declaration was written, read from the stack once at load; maps and all, as the runtime shows it. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @param declare the function whose caller is asked for
 * @returns `file:line`, relative to the working directory when it lies below it; `null` when the stack does not tell
 */
export function declarationSite(declare: (...args: never[]) => unknown): string | null {
  const holder: { stack?: unknown } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  Error.captureStackTrace(holder, declare)
  const { stack } = holder
  Error.stackTraceLimit = limit
  const frame = typeof stack === 'string' ? /^\s+at (?:.*\()?(?:async )?(.+?):(\d+):\d+\)?$/m.exec(stack) : null
  if (frame === null) return null
  const [, file = '', line = ''] = frame
  return `${readablePath(file.startsWith('file:') ? fileURLToPath(file) : file)}:${line}`
}

/** Relative to the working directory when it lies below it. */
export function readablePath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
