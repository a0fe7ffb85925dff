/** Reads any boot failure as problems: ours as they are, a foreign error by its code, message and place. */
import { BootError } from './boot-error.ts'
import type { Problem } from './problem.ts'

export function problemsOf(thrown: unknown): readonly Problem[] {
  if (thrown instanceof BootError) return thrown.problems
  // Another copy of the kernel, or a reloaded one: same shape, other class.
  const { problems } = (thrown ?? {}) as { problems?: readonly Problem[] }
  if (Array.isArray(problems)) return problems
  if (!(thrown instanceof Error)) return [{ code: 'SVC_BOOT_FAILED', message: String(thrown) }]
  const { code } = thrown as { code?: unknown }
  return [
    {
      code: typeof code === 'string' ? code : 'SVC_BOOT_FAILED',
      message: thrown.message.split('\n', 1)[0] || thrown.name,
      at: placeOf(thrown)
    }
  ]
}

/** The first line of the stack that lies in the application rather than in a dependency or in Node. */
function placeOf(error: Error): string | undefined {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const own = frames.find((line) => !/node:|node_modules|[\\/]plugins[\\/]svc-/.test(line))
  return own?.match(/\(?((?:file:\/\/)?[^\s()]+:\d+):\d+\)?$/)?.[1]?.replace(/^file:\/\//, '')
}
