/** Log lines as they are written, and a promise of the next one that says something. */
export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

export class AwaitedLog {
  readonly lines: LogLine[] = []
  readonly #wanted: Array<{ readonly text: string; readonly resolve: (line: LogLine) => void }> = []

  write(text: string): void {
    const line = JSON.parse(text) as LogLine
    this.lines.push(line)
    const index = this.#wanted.findIndex((each) => line.msg.includes(each.text))
    if (index !== -1) this.#wanted.splice(index, 1)[0]?.resolve(line)
  }

  /** The next line, from now on, whose message contains `text`. */
  next(text: string): Promise<LogLine> {
    return new Promise((resolve) => {
      this.#wanted.push({ text, resolve })
    })
  }
}
