/**
 * svc-cli: the `svc` command.
 *
 * Exit codes: 0 done, 1 could not be done, 2 asked for in a wrong way. With
 * `--help` nothing is ever done. What is heavy is imported by the command that needs it.
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

/** Help and version end as an error of commander's: they are out, and nothing is loaded to say so. */
function wasAskedFor(error: unknown): boolean {
  const { code, exitCode } = error as { code?: unknown; exitCode?: unknown }
  return exitCode === 0 && typeof code === 'string' && code.startsWith('commander.')
}

export { type AppTemplate, appTemplate } from './create/app-template.ts'
export { CommandError } from './errors.ts'
export { KNOWN_MODULES as knownModules } from './modules/known-modules.ts'
