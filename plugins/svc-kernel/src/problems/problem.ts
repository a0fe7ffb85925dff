/**
 * A problem of the person who builds or starts the application, in five parts: what failed, where, got and expected,
 * how to fix it, where to read more. This file also formats it.
 */

import { styleText } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'

/** A mistake in the setup of an application: what failed, where, what was expected, and how to fix it. */
export interface Problem {
  /** Stable code, `SVC_<AREA>_<WHAT>`. */
  readonly code: string
  /** One sentence: what failed. */
  readonly message: string
  /** `file:line`, option path or environment name. */
  readonly at?: string | undefined
  /** The source lines around the place. */
  readonly frame?: string | undefined
  readonly got?: string | undefined
  readonly expected?: string | undefined
  /** One command, or one line to add. */
  readonly fix?: string | undefined
  /** A command that prints more, `npx svc docs <page>`. Default: the page of the code. */
  readonly more?: string | undefined
}

/** Logs a problem that does not stop the boot as one WARN line with the same fields. */
export function warnProblem(log: FastifyBaseLogger, problem: Problem): void {
  const { message, ...fields } = problem
  log.warn(fields, message)
}

/** Styles a text, for example as `red` or `dim`; the default leaves it plain. */
export type Paint = (style: 'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold', text: string) => string

const plain: Paint = (_style, text) => text

/** `✖ CODE  message`, then one indented line per known part. */
export function formatProblem(problem: Problem, paint: Paint = plain, mark = '✖'): string {
  const { code, message, at, frame, got, expected, fix } = problem
  const more = problem.more ?? (code.startsWith('SVC_') ? `npx svc docs ${code}` : undefined)
  const lines = [`${paint(mark === '✖' ? 'red' : 'yellow', mark)} ${paint('bold', code)}  ${message}`]
  if (at !== undefined) lines.push(`  ${paint('dim', 'at:')} ${at}`)
  if (frame !== undefined) lines.push(frame.replace(/^/gm, '    '))
  const found = got === undefined ? '' : `got ${got}`
  const wanted = expected === undefined ? '' : `expected ${expected}`
  if (found || wanted) lines.push(`  ${[found, wanted].filter(Boolean).join(', ')}`)
  if (fix !== undefined) lines.push(`  ${paint('green', 'fix:')} ${fix}`)
  if (more !== undefined) lines.push(`  ${paint('dim', 'more:')} ${more}`)
  return lines.join('\n')
}

/** All problems of one phase, with their count if there are several. */
export function formatProblems(problems: readonly Problem[], paint: Paint = plain): string {
  const texts = problems.map((problem) => formatProblem(problem, paint))
  if (texts.length > 1) texts.unshift(`${texts.length} problems`)
  return texts.join('\n')
}

/** Colours for terminals only. `styleText` respects NO_COLOR, FORCE_COLOR and whether the stream is a terminal. */
export function terminalPaint(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream, validateStream: true })
}
