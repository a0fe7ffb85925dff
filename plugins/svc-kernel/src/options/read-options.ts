/**
 * The options reader: options are data, checked once against one JSON schema,
 * completed with its defaults and frozen. Every mistake is reported together.
 */
import { BootError } from '../problems/boot-error.ts'
import type { Problem } from '../problems/problem.ts'
import { deepFreeze } from './deep-freeze.ts'
import { liveValueProblems } from './live-value-problems.ts'
import { optionProblems } from './option-problems.ts'
import { compileSchema, type OptionsSchema } from './schema-compiler.ts'

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
  const validate = compileSchema(schema)
  const problems = validate(options) ? [] : optionProblems(plugin, validate.errors ?? [])
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
