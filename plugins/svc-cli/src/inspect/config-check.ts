/** `svc config:check`: every mistake of the configuration, as the boot would report it, without listening or connecting. */
import type { Problem } from 'svc-kernel'
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'

const COMMAND = 'svc config:check'

/** @throws CommandError with the problems found, when they are not asked for as JSON */
export async function configCheck(options: AppOptions & { json?: true }): Promise<void> {
  const { problems, modules } = await inspectApp(options, COMMAND, checkAll, { checkOnly: true }).catch(refusal)
  if (options.json === true) {
    printJson({ ok: problems.length === 0, modules, problems })
    if (problems.length > 0) process.exitCode = 1
    return
  }
  if (problems.length > 0) throw new CommandError(problems)
  print(`svc.config.ts is valid: ${modules.length === 0 ? 'no modules' : modules.join(', ')}`)
}

interface Findings {
  readonly problems: readonly Problem[]
  readonly modules: readonly string[]
}

/** The loader checks the list and its options first, then each module checks the rest while it registers and boots. */
async function checkAll({ kernel, host, app, register }: Inspection): Promise<Findings> {
  try {
    await host.locateProblems(app, async () => {
      const fastify = await register()
      await fastify.ready()
    })
    return { problems: [], modules: host.moduleNames(app) }
  } catch (error) {
    return { problems: kernel.problemsOf(error), modules: host.moduleNames(app) }
  }
}

/** The config itself did not load: an environment variable, a syntax error, no application. */
async function refusal(error: unknown): Promise<Findings> {
  if (error instanceof CommandError) return { problems: error.problems, modules: [] }
  const { problemsOf } = await import('svc-kernel/plugin')
  return { problems: problemsOf(error), modules: [] }
}
