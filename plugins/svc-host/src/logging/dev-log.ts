/**
 * Development log: pino's JSON lines as one calm line each, with what the entry
 * carries beside its text; problems in their five-part shape. Counts warnings.
 */
import type { Problem } from 'svc-kernel'
import { formatProblem, type Paint, terminalPaint } from 'svc-kernel/host'
import { mayBeSecretName } from 'svc-kernel/plugin'
import { maskUrl } from './request-serializer.ts'

interface LogLine {
  level: number
  msg?: string
  code?: string
  at?: string
  got?: string
  expected?: string
  fix?: string
  more?: string
  err?: { message?: string; stack?: string; code?: string }
}

/** A destination for pino: `logger: { stream: new DevLog() }`. */
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

  /** One JSON line of pino. What is not JSON passes as it is; an entry that says nothing is not shown. */
  write(line: string): void {
    const entry = parsed(line)
    if (entry === null) {
      this.#output.write(line)
      return
    }
    if (entry.level === 40) this.#warnings += 1
    const text = this.#format(entry)
    if (text !== '') this.#output.write(`${text}\n`)
  }

  #format(entry: LogLine): string {
    const message = printable(entry.msg ?? entry.err?.message ?? '')
    const isProblem = entry.code !== undefined && entry.level >= 40
    const fields = logFields(entry as unknown as Record<string, unknown>, isProblem).map(printable)
    if (isProblem) {
      const problem = { message, code: '', ...printableParts(entry) }
      const text = formatProblem(problem, this.#paint, entry.level >= 50 ? '✖' : '▲')
      return [text, ...fields.map((field) => `  ${this.#paint('dim', field)}`), ...this.#stack(entry)].join('\n')
    }
    if (message === '' && entry.err === undefined && fields.length === 0) return ''
    const text = `${this.#paint('dim', levelName(entry.level))} ${message}`
    return [this.#beside(text, fields), ...this.#stack(entry)].join('\n')
  }

  /** On the same line where they are short, else one below the other. */
  #beside(text: string, fields: readonly string[]): string {
    const short = fields.join('  ')
    if (short === '') return text
    if (short.length <= ONE_LINE && !short.includes('\n')) return `${text}  ${this.#paint('dim', short)}`
    return [text, ...fields.map((field) => `  ${this.#paint('dim', field)}`)].join('\n')
  }

  #stack({ err }: LogLine): string[] {
    return err === undefined ? [] : [this.#paint('dim', printable(err.stack ?? err.message ?? ''))]
  }
}

/** Fields that are longer together get a line each. */
const ONE_LINE = 100

function parsed(line: string): LogLine | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' ? (entry as LogLine | null) : null
  } catch {
    return null
  }
}

function printableParts(entry: LogLine): Partial<Problem> {
  const parts = (['code', 'at', 'got', 'expected', 'fix', 'more'] as const).filter((part) => entry[part] !== undefined)
  return Object.fromEntries(parts.map((part) => [part, printable(String(entry[part]))]))
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

/** Of pino, of the plugin's child logger, and what the line says in another place. */
const PLUMBING = new Set(['level', 'time', 'pid', 'hostname', 'v', 'plugin', 'msg', 'err', 'method', 'url', 'req'])
const PARTS = new Set(['code', 'at', 'got', 'expected', 'fix', 'more'])

interface RequestFields {
  readonly method?: unknown
  readonly url?: unknown
}

/**
 * What an entry carries beside its text: `name=value`, in the order given. What the logger itself adds is left out, and
 * the value of a field whose name says that it is a secret is never shown.
 *
 * @param isProblem its parts are shown in the shape of problems, and are no fields
 */
function logFields(entry: Readonly<Record<string, unknown>>, isProblem: boolean): string[] {
  const fields = Object.entries(entry)
    .filter(([name, value]) => value !== undefined && !PLUMBING.has(name) && !(isProblem && PARTS.has(name)))
    .map(([name, value]) => `${name}=${shown(name, value)}`)
  const request = requestOf(entry)
  return request === null ? fields : [request, ...fields]
}

/** `GET /path`, as the request of a line is named. */
function requestOf(entry: Readonly<Record<string, unknown>>): string | null {
  const { method, url } = (typeof entry.req === 'object' && entry.req !== null ? entry.req : entry) as RequestFields
  if (method === undefined && url === undefined) return null
  const path = typeof url === 'string' ? maskUrl(url) : url
  return [method, path].filter((part) => part !== undefined).join(' ')
}

function shown(name: string, value: unknown): string {
  if (mayBeSecretName(name) && value !== null) return '***'
  if (typeof value === 'string') return /^[^\s="]+$/.test(value) ? value : JSON.stringify(value)
  return JSON.stringify(value, (key, inner) => (mayBeSecretName(key) && inner !== null ? '***' : inner))
}
