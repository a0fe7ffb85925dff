/** Checks a module list before anything is registered: shape, duplicates, order, options. Reports all at once. */
import { checkOptions } from '../options/read-options.ts'
import type { Problem } from '../problems/problem.ts'
import type { AnyPlugin, ModuleEntry } from './define-config.ts'
import { pluginMeta } from './define-plugin.ts'
import { locateOption } from './locate-option.ts'

export interface CheckedModule {
  readonly name: string
  readonly plugin: AnyPlugin
  readonly options: object
}

/** The text of the config file, to point at lines in it. */
export interface ConfigText {
  readonly file: string
  readonly text: string
}

export function checkModules(
  entries: readonly ModuleEntry[],
  config?: ConfigText
): { modules: CheckedModule[]; problems: Problem[] } {
  const modules: CheckedModule[] = []
  const problems: Problem[] = []
  entries.forEach((entry, index) => {
    const [plugin, options] = Array.isArray(entry) ? (entry as [unknown, unknown]) : [entry, {}]
    if (typeof plugin !== 'function') {
      problems.push({
        code: 'SVC_MODULE_INVALID',
        message: 'an entry of modules is not a plugin',
        at: `modules[${index}]`,
        got: plugin === undefined ? 'undefined' : typeof plugin,
        expected: 'a plugin, or [plugin, options]',
        fix:
          plugin === undefined ? 'check the import: a default export may be missing' : 'pass the imported plugin itself'
      })
    } else if (typeof options !== 'object' || options === null) {
      problems.push({
        code: 'SVC_MODULE_INVALID',
        message: 'the options of a module are not an object',
        at: `modules[${index}][1]`,
        got: typeof options
      })
    } else {
      modules.push({ name: pluginMeta(plugin).name, plugin: plugin as AnyPlugin, options })
    }
  })
  problems.push(...orderProblems(modules), ...optionProblemsOf(modules))
  return { modules, problems: config === undefined ? problems : problems.map((problem) => locate(problem, config)) }
}

function orderProblems(modules: readonly CheckedModule[]): Problem[] {
  const names = modules.map(({ name }) => name)
  return modules.flatMap(({ name, plugin }, index) => {
    const problems: Problem[] = []
    const first = names.indexOf(name)
    if (first !== index && pluginMeta(plugin).optionsSchema !== undefined) {
      problems.push({
        code: 'SVC_MODULE_DUPLICATE',
        message: `${name} is listed twice`,
        at: `modules[${first}] and modules[${index}]`,
        fix: 'remove one'
      })
    }
    for (const needed of pluginMeta(plugin).before) {
      const at = names.indexOf(needed)
      if (at > index) {
        const order = [...names]
        order.splice(at, 1)
        order.splice(index, 0, needed)
        problems.push({
          code: 'SVC_MODULE_ORDER',
          message: `${needed} must come before ${name}`,
          at: `modules[${index}]`,
          fix: `modules: [${order.join(', ')}]`
        })
      }
      if (at === -1 && pluginMeta(plugin).required.includes(needed)) {
        problems.push({
          code: 'SVC_MODULE_MISSING',
          message: `${name} needs ${needed}, which is not listed`,
          at: `modules[${index}]`,
          fix: `list ${needed} before ${name}`
        })
      }
    }
    return problems
  })
}

function optionProblemsOf(modules: readonly CheckedModule[]): Problem[] {
  return modules.flatMap(({ name, plugin, options }) => {
    const { optionsSchema } = pluginMeta(plugin)
    return optionsSchema === undefined ? [] : checkOptions(name, optionsSchema, options).problems
  })
}

function locate(problem: Problem, { file, text }: ConfigText): Problem {
  if (problem.at === undefined) return problem
  const line = locateOption(text, problem.at)
  return { ...problem, at: `${file}${line === null ? '' : `:${line}`}  ${problem.at}` }
}
