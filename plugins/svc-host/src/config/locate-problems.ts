/**
 * The line of the config file that a problem comes from, also for what plugins find wrong while they register and boot:
 * they know option paths, but not the file they come from.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { BootError, type Problem } from 'svc-kernel'
import { problemsOf } from 'svc-kernel/plugin'
import { locateOption } from './locate-option.ts'

/** A config file as it is shown (its name) and searched (its text). */
export interface ConfigText {
  readonly file: string
  readonly text: string
}

/** @returns `undefined` where there is no such file: problems then name only option paths. */
export async function readConfigText(path: string | undefined): Promise<ConfigText | undefined> {
  if (path === undefined) return undefined
  try {
    return { file: basename(path), text: await readFile(path, 'utf8') }
  } catch {
    return undefined
  }
}

/** Puts `file:line` before the option path of a problem. */
export function locateProblem(problem: Problem, { file, text }: ConfigText): Problem {
  if (problem.at === undefined) return problem
  const line = locateOption(text, problem.at)
  return { ...problem, at: `${file}${line === null ? '' : `:${line}`}  ${problem.at}` }
}

/** An option of ours, or the whole module; never a `file:line`. */
const OPTION = /^svc-[a-z-]+(?:[.[]|$)/

/**
 * Runs a boot, or a part of one.
 *
 * @throws BootError whose option paths follow `file:line`; what names no option is thrown as it is
 */
export async function locateProblems<Result>(
  { configFile }: { readonly configFile: string | undefined },
  boot: () => Promise<Result>
): Promise<Result> {
  try {
    return await boot()
  } catch (error) {
    const problems = problemsOf(error)
    const text = problems.some(({ at = '' }) => OPTION.test(at)) ? await readConfigText(configFile) : undefined
    if (text === undefined) throw error
    const located = problems.map((problem) => (OPTION.test(problem.at ?? '') ? locateProblem(problem, text) : problem))
    throw new BootError(located, { cause: error })
  }
}
