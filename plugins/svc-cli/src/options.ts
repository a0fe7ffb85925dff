/** What commands share: options, so that each has one spelling and one text, and how the work of one is loaded. */
import type { Command } from 'commander'

/** Options of every command. */
export interface OutputOptions {
  color: boolean
  verbose?: true
}

/** Options of the commands that work on an application. */
export interface AppOptions extends OutputOptions {
  root?: string
}

export function withOutputOptions(command: Command): Command {
  return command.option('--no-color', 'print without colours').option('--verbose', 'show stack traces')
}

export function withAppOptions(command: Command): Command {
  return withOutputOptions(command.option('--root <folder>', 'the application folder (default: the current folder)'))
}

export function child(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description)
}

/** Of an option that may be given several times. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value]
}

/**
 * The action of a command: its arguments, then its options, are those of an exported function, whose module is loaded
 * when the command runs.
 */
export function command<Name extends string>(
  load: () => Promise<Record<Name, (...given: never[]) => unknown>>,
  name: Name
) {
  return async (...given: unknown[]): Promise<void> => {
    const act = (await load())[name] as (...given: unknown[]) => unknown
    await act(...given.slice(0, -1))
  }
}
