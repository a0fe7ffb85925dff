/** Why the application does not start: every problem of one phase, together; and any boot failure read as problems. */

import { missingPackage } from './missing-package.ts'
import { placeOf } from './place-of.ts'
import { formatProblems, type Problem, terminalPaint } from './problem.ts'

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
 * No handler catches what `env.ts` throws while the entry is imported: run by itself, as in `node dist/app.js`, the process
 * would end with a raw stack. It ends with the problems instead, unless the process has its own handler.
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

/**
 * Reads any boot failure as problems: ours as they are, a foreign error by its code, message and place.
 *
 * @returns at least one problem, whatever was thrown
 */
export function problemsOf(thrown: unknown): readonly Problem[] {
  if (thrown instanceof BootError) return thrown.problems
  // Another copy of the kernel, or a reloaded one: same shape, other class.
  const { problems } = (thrown ?? {}) as { problems?: readonly Problem[] }
  if (Array.isArray(problems) && problems.length > 0) return problems
  if (!(thrown instanceof Error))
    return [
      {
        code: 'SVC_BOOT_FAILED',
        message: `the boot threw a value that is not an Error: ${String(thrown)}`,
        fix: 'throw an Error'
      }
    ]
  const missing = missingPackage(thrown)
  if (missing !== null) return [missing]
  const { code: given } = thrown as { code?: unknown }
  const code = typeof given === 'string' ? given : 'SVC_BOOT_FAILED'
  const at = placeOf(thrown)
  // A database that is away is no line of code: what its code means says what to do.
  const isExplained = at === undefined && given === code && code.startsWith('SVC_')
  return [
    {
      code,
      message: thrown.message.split('\n', 1)[0] || thrown.name,
      at,
      fix: isExplained ? undefined : 'correct it there; npx svc config:check --verbose shows the stack'
    }
  ]
}
