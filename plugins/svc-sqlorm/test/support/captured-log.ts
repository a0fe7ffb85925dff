/** A logger that keeps what it is told, for a Fastify of a test. */

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly code?: string
  readonly [field: string]: unknown
}

export class CapturedLog {
  readonly lines: LogLine[] = []
  readonly #waiting = new Set<{ readonly text: string; readonly found: (line: LogLine) => void }>()

  /** Fastify's `logger` option. */
  get logger() {
    return { level: 'debug', stream: { write: (text: string) => this.#take(JSON.parse(text) as LogLine) } }
  }

  messages(level = 30): string[] {
    return this.lines.filter((line) => line.level >= level).map(({ msg }) => msg)
  }

  /** The first line from now on whose message holds this text. */
  next(text: string): Promise<LogLine> {
    return new Promise((resolve) => {
      this.#waiting.add({ text, found: resolve })
    })
  }

  #take(line: LogLine): void {
    this.lines.push(line)
    for (const waiter of this.#waiting) {
      if (!line.msg?.includes(waiter.text)) continue
      this.#waiting.delete(waiter)
      waiter.found(line)
    }
  }
}
