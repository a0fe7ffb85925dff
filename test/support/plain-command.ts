/**
 * A command as a person would run it. The test runner hooks itself into every
 * Node child through NODE_OPTIONS, after the environment was made; some programs
 * (the compiler among them) do not run under that hook.
 */

/** Most of them end before they have made much: they are given what they need at once. */
const YOUNG = '--min-semi-space-size=64'

/** @returns what to give to `spawn`; the process keeps its pid, as the shell is replaced by the command. */
export function plainCommand(command: string, args: readonly string[]): [file: string, args: string[]] {
  const flags = command === process.execPath ? [YOUNG] : []
  return ['sh', ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', command, ...flags, ...args]]
}
