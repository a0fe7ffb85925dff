/** Reads a failed import of an application file: what does not compile becomes a problem with its place. */
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Problem } from 'svc-kernel'
import { moveOf, moveText } from './moved-names.ts'

interface TransformError {
  readonly message?: string
  readonly id?: string
  readonly plugin?: string
  readonly code?: string
}

/**
 * @param root absolute folder of the application
 * @returns `null` when the file compiled and something else went wrong, such as an error it threw
 */
export function transformProblem(thrown: unknown, root: string): Problem | null {
  const { message = '', id, plugin, code } = (thrown ?? {}) as TransformError
  if (code === 'ERR_LOAD_URL') return missingFile(message, root)
  const absent = MISSING_EXPORT.exec(message)
  if (absent !== null) return movedExport(absent[1] as string, absent[2] as string, placeIn(thrown, root))
  if (id === undefined || plugin === undefined) return null
  const text = stripVTControlCharacters(message)
  const [, file, line, column] = /([^\s[\]]+):(\d+):(\d+)/.exec(text) ?? []
  const sentence = /\[[A-Z_]+\]\s*(?:Error:\s*)?(.+)/.exec(text)?.[1] ?? text.split('\n', 1)[0]
  return {
    code: 'SVC_SOURCE_SYNTAX',
    message: `the file does not compile: ${sentence?.trim()}`,
    at: file === undefined ? relative(root, id) : `${file}:${line}`,
    frame: file === undefined ? undefined : frameOf(resolve(root, file), Number(line), Number(column)),
    fix: 'correct it there'
  }
}

function frameOf(file: string, line: number, column: number): string | undefined {
  try {
    return codeFrame(readFileSync(file, 'utf8'), line, column)
  } catch {
    return undefined
  }
}

const MISSING_EXPORT = /requested module '([^']+)' does not provide an export named '([^']+)'/

/** @returns `null` for an export that never was: the import names it wrongly, and the message says so */
function movedExport(specifier: string, name: string, at: string | undefined): Problem | null {
  const move = moveOf(specifier, name)
  if (move === null) return null
  return {
    code: 'SVC_NAME_MOVED',
    message: `${specifier} does not export ${name}: ${moveText(move)}`,
    at,
    fix: move.kind === 'moved' ? 'npx svc upgrade' : move.instead,
    more: 'npx svc docs upgrading'
  }
}

/** `file:line` of the first frame of the stack that lies in the application. */
function placeIn(thrown: unknown, root: string): string | undefined {
  const lines = String((thrown as Error).stack).split('\n')
  const frame = lines.find((line) => line.includes(root) && !line.includes('node_modules'))
  const [, file, line] = /([^\s(]+):(\d+):\d+\)?$/.exec(frame ?? '') ?? []
  return file === undefined ? undefined : `${relative(root, file.replace(/^file:\/\//, ''))}:${line}`
}

/** `Failed to load url ./nope.ts (resolved id: ./nope.ts) in /app/controllers/c.ts. Does the file exist?` */
function missingFile(message: string, root: string): Problem {
  const [, wanted = '', importer] = /load url (\S+) \(resolved id: .*?\)(?: in (.+?))?\. Does/.exec(message) ?? []
  return {
    code: 'SVC_SOURCE_MISSING',
    message: `the imported file does not exist: ${wanted.startsWith(root) ? relative(root, wanted) : wanted}`,
    at: importer === undefined ? undefined : relative(root, importer),
    fix: 'check the path; relative imports end in .ts'
  }
}

/** The lines around a mistake in a source file, with a mark below the place. */
const BEFORE = 2
const AFTER = 1

/**
 * @param line counted from 1
 * @param column counted from 1; without it no mark is drawn
 * @returns `undefined` where the text has no such line
 */
export function codeFrame(text: string, line: number, column?: number): string | undefined {
  const lines = text.split(/\r?\n/)
  if (line < 1 || line > lines.length) return undefined
  const first = Math.max(1, line - BEFORE)
  const last = Math.min(lines.length, line + AFTER)
  const width = String(last).length
  return lines
    .slice(first - 1, last)
    .flatMap((source, index) => {
      const number = first + index
      const shown = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${source}`.trimEnd()
      if (number !== line || column === undefined) return [shown]
      return [shown, `  ${' '.repeat(width)} | ${source.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`]
    })
    .join('\n')
}
