/** Reads any boot failure as problems: ours as they are, a foreign error by its code, message and place. */
import { BootError } from './boot-error.ts'
import { missingPackage } from './missing-package.ts'
import { placeOf } from './place-of.ts'
import type { Problem } from './problem.ts'

/** @returns at least one problem, whatever was thrown */
export function problemsOf(thrown: unknown): readonly Problem[] {
  if (thrown instanceof BootError) return thrown.problems
  // Another copy of the kernel, or a reloaded one: same shape, other class.
  const { problems } = (thrown ?? {}) as { problems?: readonly Problem[] }
  if (Array.isArray(problems) && problems.length > 0) return problems
  if (!(thrown instanceof Error))
    return [{ code: 'SVC_BOOT_FAILED', message: `something was thrown: ${String(thrown)}`, fix: 'throw an Error' }]
  const missing = missingPackage(thrown)
  if (missing !== null) return [missing]
  const { code } = thrown as { code?: unknown }
  return [
    {
      code: typeof code === 'string' ? code : 'SVC_BOOT_FAILED',
      message: thrown.message.split('\n', 1)[0] || thrown.name,
      at: placeOf(thrown),
      fix: 'correct it there; npx svc config:check --verbose shows its stack'
    }
  ]
}
