/** Every way a command line can fail, printed in the five-part shape; returns the exit code. */
import { CommanderError } from 'commander'
import type { Problem } from 'svc-kernel'
import { formatProblems, terminalPaint } from 'svc-kernel/host'
import { problemsOf } from 'svc-kernel/plugin'
import { wantsStacks } from './environment.ts'
import { CommandError } from './errors.ts'
import { complain } from './output.ts'

export function reportFailure(error: unknown, verbose: boolean): number {
  // No command was given; commander printed the help.
  if (error instanceof CommanderError && error.code === 'commander.help') return 2
  const usage = error instanceof CommanderError
  const problems = usage ? [usageProblem(error)] : error instanceof CommandError ? error.problems : problemsOf(error)
  complain(formatProblems(problems, terminalPaint(process.stderr)))
  if ((verbose || wantsStacks()) && error instanceof Error && !usage) complain(`\n${stackOf(error)}`)
  if (usage) return 2
  return error instanceof CommandError ? error.exitCode : 1
}

/** commander says `error: unknown command 'strat'` and, on its own line, `(Did you mean start?)`. */
function usageProblem({ message }: CommanderError): Problem {
  const [sentence = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  return {
    code: 'SVC_CLI_USAGE',
    message: suggestion === '' ? sentence : `${sentence} ${suggestion.replace('(Did', '(did')}`,
    fix: 'npx svc --help, or npx svc <command> --help'
  }
}

function stackOf(error: Error): string {
  const own = error.stack ?? error.message
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own
}
