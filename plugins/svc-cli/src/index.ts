/**
 * svc-cli: the `svc` command.
 *
 * Exit codes: 0 success, 1 failure, 2 wrong usage. `--help` never does anything else. Each command imports its own
 * dependencies, so that the others start fast.
 */
import { refuseColours } from './environment.ts'
import { endWhenUnread } from './output.ts'
import { buildProgram } from './program.ts'

/**
 * Runs one command line and sets the exit code of the process.
 *
 * @param argv the arguments after `svc`
 */
export async function run(argv: readonly string[]): Promise<void> {
  endWhenUnread()
  if (argv.includes('--no-color')) refuseColours()
  try {
    await buildProgram().parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (wasAskedFor(error)) return
    const { reportFailure } = await import('./report-failure.ts')
    process.exitCode = reportFailure(error, argv.includes('--verbose'))
  }
}

/** Help and version end as an error of commander: their text is printed already. */
function wasAskedFor(error: unknown): boolean {
  const { code, exitCode } = error as { code?: unknown; exitCode?: unknown }
  return exitCode === 0 && typeof code === 'string' && code.startsWith('commander.')
}

export { type AppTemplate, appTemplate } from './create/app-template.ts'
export { CommandError } from './errors.ts'
export { KNOWN_MODULES as knownModules } from './modules/known-modules.ts'
