/** Development log: pino's JSON lines as one calm line each, problems in their five-part shape. Counts warnings. */
import { formatProblem, type Paint } from '../problems/format-problem.ts'
import { terminalPaint } from './terminal-paint.ts'

interface LogLine {
  level: number
  msg?: string
  code?: string
  at?: string
  got?: string
  expected?: string
  fix?: string
  more?: string
  plugin?: string
  err?: { message?: string; stack?: string; code?: string }
}

export class DevLog {
  readonly #output: NodeJS.WritableStream
  readonly #paint: Paint
  #warnings = 0

  constructor(output: NodeJS.WritableStream = process.stdout, paint: Paint = terminalPaint(output)) {
    this.#output = output
    this.#paint = paint
  }

  /** WARN lines since the start or the last `reset()`. */
  get warnings(): number {
    return this.#warnings
  }

  reset(): void {
    this.#warnings = 0
  }

  /** One JSON line of pino. What is not JSON passes as it is. */
  write(line: string): void {
    let entry: LogLine
    try {
      entry = JSON.parse(line) as LogLine
    } catch {
      this.#output.write(line)
      return
    }
    if (entry.level === 40) this.#warnings += 1
    this.#output.write(`${this.#format(entry)}\n`)
  }

  #format(entry: LogLine): string {
    const message = printable(entry.msg ?? entry.err?.message ?? '')
    if (entry.code !== undefined && entry.level >= 40) {
      return formatProblem({ ...entry, code: entry.code, message }, this.#paint, entry.level >= 50 ? '✖' : '▲')
    }
    const text = `${this.#paint('dim', levelName(entry.level))} ${message}`
    if (entry.err === undefined) return text
    return `${text}\n${this.#paint('dim', printable(entry.err.stack ?? entry.err.message ?? ''))}`
  }
}

function levelName(level: number): string {
  if (level >= 60) return 'fatal'
  if (level >= 50) return 'error'
  if (level >= 40) return 'warn '
  return level >= 30 ? 'info ' : 'debug'
}

/** A log line must not steer the terminal: control characters but line breaks are shown, not sent. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
