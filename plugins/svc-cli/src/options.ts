/** The options that commands share, so that each has one spelling and one text. */
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
