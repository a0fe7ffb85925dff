/**
 * The options reader: options are data, checked once against one JSON schema,
 * completed with its defaults and frozen. Every mistake is reported together.
 */
import { BootError } from '../problems/boot-error.ts'
import type { Problem } from '../problems/problem.ts'
import { optionPath, optionProblems } from './option-problems.ts'
import { type OptionsSchema, violations } from './schema-compiler.ts'

/** Keys that Fastify itself hands to a plugin, and `parts`, which is never data. */
const NOT_OPTIONS = new Set(['parts', 'prefix', 'logLevel', 'logSerializers', 'routePath'])

/** The outcome of a check: the completed options, or what is wrong with them. */
export interface OptionsCheck<Options> {
  readonly options: Options
  readonly problems: readonly Problem[]
}

/**
 * Checks options without throwing; used by the module loader to report on all modules at once.
 *
 * @param plugin name that starts every option path, such as `svc-security`
 */
export function checkOptions<Options>(
  plugin: string,
  schema: OptionsSchema,
  given: object = {}
): OptionsCheck<Options> {
  const data = Object.fromEntries(Object.entries(given).filter(([key]) => !NOT_OPTIONS.has(key)))
  const live = liveValueProblems(plugin, data)
  if (live.length > 0) return { options: data as Options, problems: live }
  const options = structuredClone(data)
  const problems = optionProblems(plugin, violations(schema, options))
  return { options: deepFreeze(options) as Options, problems }
}

/**
 * Reads a plugin's options: validated, completed, frozen.
 *
 * @throws BootError with one problem per mistake, each with the path of its key.
 */
export function readOptions<Options>(plugin: string, schema: OptionsSchema, given: object = {}): Options {
  const { options, problems } = checkOptions<Options>(plugin, schema, given)
  if (problems.length > 0) throw new BootError(problems)
  return options
}

/** Functions and clients are not data: they cannot be checked, copied or frozen, so they come under `parts`. */
function liveValueProblems(plugin: string, options: object): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<object>()
  const visit = (value: unknown, segments: readonly string[]): void => {
    if (isLive(value)) problems.push(liveValueProblem(plugin, segments))
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      for (const [key, child] of Object.entries(value)) visit(child, [...segments, key])
    }
  }
  visit(options, [])
  return problems
}

function liveValueProblem(plugin: string, segments: readonly string[]): Problem {
  return {
    code: 'SVC_KERNEL_OPTIONS',
    message: 'a live object cannot be an option',
    at: optionPath(plugin, segments),
    expected: 'plain data',
    fix: `pass it as parts.${segments.findLast((part) => !/^\d+$/.test(part)) ?? ''}`
  }
}

function isLive(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}

/** Freezes a tree of plain data in place. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}
