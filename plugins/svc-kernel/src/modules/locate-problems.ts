/**
 * Names the line in the config file also for what plugins find wrong while they
 * register and boot: they know option paths, but not the file they come from.
 */
import { BootError } from '../problems/boot-error.ts'
import { problemsOf } from '../problems/problems-of.ts'
import type { Application } from './application.ts'
import { locateProblem, readConfigText } from './config-text.ts'

/** An option of ours, or the whole module; never a `file:line`. */
const OPTION = /^svc-[a-z-]+(?:[.[]|$)/

/**
 * Runs a boot, or a part of one.
 *
 * @throws BootError whose option paths stand behind `file:line`; what names no option is thrown as it is
 */
export async function locateProblems<Result>(
  { configFile }: Pick<Application, 'configFile'>,
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
