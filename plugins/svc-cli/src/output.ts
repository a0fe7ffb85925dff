/** Where a command writes: results to standard output, everything else to standard error. */

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}
