/** Why the application does not start: every problem of one phase, together. */

import { formatProblems } from './format-problem.ts'
import type { Problem } from './problem.ts'
import { terminalPaint } from './terminal-paint.ts'

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
    explainUncaught()
  }
}

let explains = false

/**
 * What `env.ts` throws while the entry is imported reaches nobody: run by itself, as in `node dist/app.js`, the process
 * would end with a raw stack. It ends with the problems instead, unless the process has a handler of its own.
 */
function explainUncaught(): void {
  if (explains) return
  explains = true
  process.on('uncaughtExceptionMonitor', (error: Error) => {
    if (!(error instanceof BootError)) return
    if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return
    process.stderr.write(`${formatProblems(error.problems, terminalPaint(process.stderr))}\n`)
    process.exit(1)
  })
}
