/** The error of a command: problems in five parts, and an exit code. 1: failure. 2: wrong usage. */
import type { Problem } from 'svc-kernel'

export type ExitCode = 1 | 2

/** A command that ends with problems. The command line prints them and exits with `exitCode`. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly problems: readonly Problem[]
  readonly exitCode: ExitCode

  constructor(problems: Problem | readonly Problem[], exitCode: ExitCode = 1, options?: ErrorOptions) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem]
    super(list[0]?.message, options)
    this.problems = list
    this.exitCode = exitCode
  }
}
