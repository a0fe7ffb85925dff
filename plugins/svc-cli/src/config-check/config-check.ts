/** `svc config:check`: every mistake of the configuration, as the boot would report it, without starting. */
import type { Problem } from 'svc-kernel'
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'

const COMMAND = { script: 'npx svc config:check', direct: 'svc config:check' }

/** @throws CommandError with the problems found, when they are not asked for as JSON */
export async function configCheck(options: AppOptions & { json?: true }): Promise<void> {
  const { problems, modules } = await inspectApp(options, COMMAND, checkAll).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    return { problems: error.problems, modules: [] }
  })
  if (options.json === true) {
    printJson({ ok: problems.length === 0, modules, problems })
    if (problems.length > 0) process.exitCode = 1
    return
  }
  if (problems.length > 0) throw new CommandError(problems)
  print(`svc.config.ts is right: ${modules.length === 0 ? 'no modules' : modules.join(', ')}`)
}

/** The loader checks the list and its options first, then each module checks the rest while it registers. */
async function checkAll({
  kernel,
  app,
  register
}: Inspection): Promise<{ problems: readonly Problem[]; modules: readonly string[] }> {
  const modules = kernel.moduleNames(app)
  try {
    await register()
    return { problems: [], modules }
  } catch (error) {
    return { problems: error instanceof CommandError ? error.problems : kernel.problemsOf(error), modules }
  }
}
