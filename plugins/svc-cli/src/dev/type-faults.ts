/** Reads what `tsc --pretty false` prints. Pure. */

export interface TypeFault {
  /** `file:line:column` as tsc names it; empty for a fault of the whole project. */
  readonly at: string
  /** Such as `TS2322`. */
  readonly code: string
  readonly message: string
}

const FAULT = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/

/** One fault per error; the indented lines that explain it further are left out. */
export function typeFaults(output: string): TypeFault[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const fault = FAULT.exec(line)
    if (fault === null) return []
    const [, file, row, column, code = '', message = ''] = fault
    return [{ at: file === undefined ? '' : `${file}:${row}:${column}`, code, message }]
  })
}
