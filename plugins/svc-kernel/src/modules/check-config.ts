/** Checks a whole config without starting anything: its own keys, the server's, and every module. Reports all at once. */
import { optionProblems } from '../options/option-problems.ts'
import { compileSchema } from '../options/schema-compiler.ts'
import type { Problem } from '../problems/problem.ts'
import { type CheckedModule, checkModules } from './check-modules.ts'
import { configSchema } from './config-schema.ts'
import { type ConfigText, locateProblem } from './config-text.ts'
import type { SvcConfig } from './define-config.ts'
import { httpsProblems } from './https-problems.ts'

/** The modules in load order, and everything that is wrong. */
export interface ConfigCheck {
  readonly modules: readonly CheckedModule[]
  readonly problems: readonly Problem[]
}

/**
 * @param configText from `readConfigText`; with it, each problem names its line
 */
export function checkConfig(config: SvcConfig, configText?: ConfigText): ConfigCheck {
  const validate = compileSchema(configSchema)
  const own = validate(config) ? httpsProblems(config) : optionProblems('', validate.errors ?? [])
  const { modules, problems } = checkModules(Array.isArray(config?.modules) ? config.modules : [])
  const all = [...own.map((problem) => ({ ...problem, at: problem.at || 'config' })), ...problems]
  return {
    modules,
    problems: configText === undefined ? all : all.map((problem) => locateProblem(problem, configText))
  }
}
