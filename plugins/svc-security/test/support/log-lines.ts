/** Collects the JSON lines of a Fastify logger. */

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

export const INFO = 30
export const WARN = 40
export const ERROR = 50

export function logLines(level = 'info') {
  const lines: LogLine[] = []
  const stream = { write: (text: string) => void lines.push(JSON.parse(text) as LogLine) }
  return { lines, logger: { level, stream } }
}
