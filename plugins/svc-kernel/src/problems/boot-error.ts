/** Why the application does not start: every problem of one phase, together. */
import { formatProblems } from './format-problem.ts'
import type { Problem } from './problem.ts'

/** Boot mistakes are `TypeError`s with status 500; `code` is that of the first problem. */
export class BootError extends TypeError {
  override readonly name = 'BootError'
  readonly code: string
  readonly statusCode = 500
  readonly problems: readonly Problem[]

  /** @param problems at least one */
  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(formatProblems(problems), options)
    this.code = problems[0]?.code ?? 'SVC_KERNEL_BOOT'
    this.problems = Object.freeze([...problems])
  }
}
