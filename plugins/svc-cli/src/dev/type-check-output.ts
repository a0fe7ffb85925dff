/** Reads what `tsc --watch --pretty false` prints. Pure: text in, rounds of type errors out. */

export interface TypeFault {
  /** `file:line:column` as tsc names it; empty for a fault of the whole project. */
  readonly at: string
  /** Such as `TS2322`. */
  readonly code: string
  readonly message: string
}

const FAULT = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/
const ROUND_ENDS = /Found \d+ errors?\. Watching for file changes/

export class TypeCheckOutput {
  readonly #onRound: (faults: readonly TypeFault[]) => void
  #faults: TypeFault[] = []
  #rest = ''

  /** @param onRound called once per check, with its errors */
  constructor(onRound: (faults: readonly TypeFault[]) => void) {
    this.#onRound = onRound
  }

  /** A piece of output, cut anywhere. */
  write(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#read(line)
  }

  #read(line: string): void {
    const fault = FAULT.exec(line)
    if (fault !== null) {
      const [, file, row, column, code = '', message = ''] = fault
      this.#faults.push({ at: file === undefined ? '' : `${file}:${row}:${column}`, code, message })
    } else if (ROUND_ENDS.test(line)) {
      this.#onRound(this.#faults)
      this.#faults = []
    }
  }
}
