/** Checks a module list before anything is registered: shape, duplicates, order, options. Reports all at once. */
import type { Problem } from 'svc-kernel'
import { checkOptions, pluginMeta } from 'svc-kernel/plugin'
import type { AnyPlugin, ModuleEntry } from './define-config.ts'

const MORE = 'npx svc docs configuration'

/** A module that can be registered. */
export interface CheckedModule {
  readonly name: string
  readonly plugin: AnyPlugin
  readonly options: object
}

interface ListedModule extends CheckedModule {
  /** Place in the list, which also holds what is no module. */
  readonly index: number
}

export function checkModules(entries: readonly ModuleEntry[]): { modules: CheckedModule[]; problems: Problem[] } {
  const modules: ListedModule[] = []
  const problems: Problem[] = []
  entries.forEach((entry, index) => {
    const [plugin, options = {}] = Array.isArray(entry) ? (entry as [unknown, unknown]) : [entry]
    const problem = entryProblem(index, plugin, options)
    if (problem !== null) problems.push(problem)
    else modules.push({ name: pluginMeta(plugin).name, plugin: plugin as AnyPlugin, options: options as object, index })
  })
  for (const module of modules) problems.push(...orderProblems(module, modules))
  for (const { name, plugin, options } of modules) {
    const { optionsSchema, liveOptions } = pluginMeta(plugin)
    if (optionsSchema === undefined) continue
    const data = Object.fromEntries(Object.entries(options).filter(([key]) => !liveOptions.includes(key)))
    problems.push(...checkOptions(name, optionsSchema, data).problems)
  }
  return { modules, problems }
}

function entryProblem(index: number, plugin: unknown, options: unknown): Problem | null {
  const code = 'SVC_MODULE_INVALID'
  if (typeof plugin !== 'function') {
    return {
      code,
      message: 'an entry of modules is not a plugin',
      at: `modules[${index}]`,
      got: plugin === null ? 'null' : typeof plugin,
      expected: 'a plugin, or [plugin, options]',
      fix:
        plugin === undefined
          ? 'check the import: the module may have no default export'
          : 'pass the imported plugin itself'
    }
  }
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return null
  return {
    code,
    message: `the options of ${pluginMeta(plugin).name} are not an object`,
    at: `modules[${index}]`,
    got: options === null ? 'null' : Array.isArray(options) ? 'a list' : typeof options,
    expected: '[plugin, { ...options }]',
    fix: 'write [plugin, { ... }], or just the plugin'
  }
}

function orderProblems({ name, plugin, index }: ListedModule, modules: readonly ListedModule[]): Problem[] {
  const problems: Problem[] = []
  const { required, before, optionsSchema } = pluginMeta(plugin)
  const at = `modules[${index}]`
  const first = modules.find((module) => module.name === name)?.index ?? index
  // A foreign plugin may be made to be registered more than once; ours are not.
  if (first !== index && optionsSchema !== undefined) {
    problems.push({
      code: 'SVC_MODULE_DUPLICATE',
      message: `${name} is listed twice, also as modules[${first}]`,
      at,
      got: `${name}, twice`,
      expected: `${name}, once`,
      fix: 'remove one',
      more: MORE
    })
  }
  for (const needed of new Set(before)) {
    const provider = modules.find((module) => module.name === needed)
    if (provider !== undefined && provider.index > index) {
      problems.push({
        code: 'SVC_MODULE_ORDER',
        message: `${needed} must come before ${name}`,
        at,
        got: `${name}, ${needed}`,
        expected: `${needed}, ${name}`,
        fix: `modules: [${rightOrder(modules).join(', ')}]`,
        more: MORE
      })
    }
    if (provider === undefined && required.includes(needed)) {
      problems.push({
        code: 'SVC_MODULE_MISSING',
        message: `${name} needs ${needed}, which is not listed`,
        at,
        expected: `${needed}, ${name}`,
        fix: `list ${needed} before ${name}`,
        more: MORE
      })
    }
  }
  return problems
}

/** All names as they are listed, each after those that come before it: right for every module at once. */
function rightOrder(modules: readonly ListedModule[]): string[] {
  const order: string[] = []
  const met = new Set<ListedModule>()
  const place = (module: ListedModule): void => {
    if (met.has(module)) return
    met.add(module)
    const { before } = pluginMeta(module.plugin)
    for (const earlier of modules) if (before.includes(earlier.name)) place(earlier)
    order.push(module.name)
  }
  for (const module of modules) place(module)
  return order
}
