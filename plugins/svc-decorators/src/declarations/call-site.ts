/** Where a decorator was written, read from the stack once at load with its source map; and how, for messages. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @param decorator the factory whose caller is wanted
 * @returns `file:line`, relative to the working directory when it lies below it; `null` when the stack has no place.
 */
export function callSite(decorator: (...args: never[]) => unknown): string | null {
  const holder: { stack?: unknown } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  Error.captureStackTrace(holder, decorator)
  const { stack } = holder
  Error.stackTraceLimit = limit
  return typeof stack === 'string' ? placeIn(stack) : null
}

/** The first `file:line` of a stack, in the form of `callSite`. */
export function placeIn(stack: string): string | null {
  const frame = /^\s+at (?:.*\()?(?:async )?(.+?):(\d+):\d+\)?$/m.exec(stack)
  if (frame === null) return null
  const [, file = '', line = ''] = frame
  return `${shortPath(file.startsWith('file:') ? fileURLToPath(file) : file)}:${line}`
}

/** Relative to the working directory when it lies below it. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}

/** A decorator as it was written, for messages: `@IsGranted(['A', 'B'])`. */
export function showCall(name: string, args: readonly unknown[]): string {
  const given = args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1)
  return `@${name}(${given.map(show).join(', ')})`
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${show(each)}`)
      .join(', ')} }`
  }
  return typeof value === 'function' ? 'function' : String(value)
}
