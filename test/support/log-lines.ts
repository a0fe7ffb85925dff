/** Collects the JSON lines of a server's log. */

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

export const INFO = 30
export const WARN = 40
export const ERROR = 50

/** `logger` goes into the server's options; `lines` fills as it writes. */
export function logLines(level = 'info') {
  const lines: LogLine[] = []
  const stream = { write: (text: string) => void lines.push(JSON.parse(text) as LogLine) }
  return { lines, logger: { level, stream } }
}
