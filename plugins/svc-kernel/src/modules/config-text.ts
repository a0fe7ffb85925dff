/** The text of the config file, so that a problem can name the line it comes from. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Problem } from '../problems/problem.ts'
import { locateOption } from './locate-option.ts'

/** A config file as it is shown (its name) and searched (its text). */
export interface ConfigText {
  readonly file: string
  readonly text: string
}

/** @returns `undefined` where there is no such file: problems then name option paths alone. */
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
