/** What `svc dev` prints while it runs: one line per reload, problems in the five-part shape. */
import { relative } from 'node:path'
import type { Problem } from 'svc-kernel'
import { formatProblem, formatProblems, type Paint, terminalPaint } from 'svc-kernel/host'
import { problemsOf } from 'svc-kernel/plugin'
import { CommandError } from '../errors.ts'
import { complain, print } from '../output.ts'
import type { TypeFault } from './type-check.ts'

const SHOWN_FAULTS = 10

export class DevReport {
  readonly #root: string
  readonly #verbose: boolean
  readonly #paint: Paint
  readonly #errorPaint: Paint
  #typesWereWrong = false

  constructor(root: string, verbose: boolean) {
    this.#root = root
    this.#verbose = verbose
    this.#paint = terminalPaint(process.stdout)
    this.#errorPaint = terminalPaint(process.stderr)
  }

  reloaded(files: readonly string[], tookMs: number, warnings: number): void {
    const tail = warnings > 0 ? `, ${warnings} warning${warnings === 1 ? '' : 's'} above` : ''
    print(`${this.#paint('green', '●')} reloaded in ${Math.round(tookMs)} ms: ${this.#names(files)}${tail}`)
  }

  failed(error: unknown, files: readonly string[]): void {
    this.#problems(error)
    complain(
      `${this.#errorPaint('yellow', '▲')} not reloaded (${this.#names(files)}); the code before it keeps serving`
    )
  }

  /** An unhandled error: in production it would end the process. */
  unhandled(error: unknown): void {
    complain(`${this.#errorPaint('red', '✖')} unhandled error; in production it ends the process`)
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  warn(problem: Problem): void {
    complain(formatProblem(problem, this.#errorPaint, '▲'))
  }

  types(faults: readonly TypeFault[]): void {
    if (faults.length === 0) {
      if (this.#typesWereWrong) print(`${this.#paint('green', '●')} types are right again`)
      this.#typesWereWrong = false
      return
    }
    this.#typesWereWrong = true
    const shown = faults.slice(0, SHOWN_FAULTS)
    for (const { at, code, message } of shown) {
      print(
        `${this.#paint('yellow', '▲')} ${this.#paint('bold', code)}  ${message}${at === '' ? '' : `\n  ${this.#paint('dim', 'at:')} ${at}`}`
      )
    }
    if (faults.length > shown.length) print(`  and ${faults.length - shown.length} more type errors`)
  }

  stopping(running: number): void {
    print(
      running === 0
        ? 'stopping'
        : `stopping: ${running} request${running === 1 ? '' : 's'} still running (Ctrl-C again ends at once)`
    )
  }

  #problems(error: unknown): void {
    const problems = error instanceof CommandError ? error.problems : problemsOf(error)
    complain(formatProblems(problems, this.#errorPaint))
    if (this.#verbose && error instanceof Error) complain(error.stack ?? error.message)
  }

  #names(files: readonly string[]): string {
    const names = files.map((file) => relative(this.#root, file))
    return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  }
}
