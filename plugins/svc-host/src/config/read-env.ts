/**
 * The environment catalogue: names, types and defaults of the variables an
 * application reads. The application's `env.ts` passes `process.env`; nothing else reads it.
 */
import { BootError, type Problem } from 'svc-kernel'
import { deepFreeze } from 'svc-kernel/host'
import { nearestName } from 'svc-kernel/plugin'

/** One variable. Without a default it is required. `secret` keeps its value out of messages. */
export type EnvEntry =
  | {
      readonly type: 'string'
      readonly default?: string | undefined
      readonly secret?: boolean
      readonly optional?: boolean
    }
  | { readonly type: 'integer'; readonly default?: number; readonly min?: number; readonly max?: number }
  | { readonly type: 'boolean'; readonly default?: boolean }
  | { readonly type: 'enum'; readonly values: readonly string[]; readonly default?: string }

const MORE = 'npx svc docs configuration'

/** Every environment variable that an application reads, by its name. */
export type EnvCatalogue = Readonly<Record<string, EnvEntry>>

type Value<Entry> = Entry extends { type: 'integer' }
  ? number
  : Entry extends { type: 'boolean' }
    ? boolean
    : Entry extends { type: 'enum'; values: ReadonlyArray<infer Choice> }
      ? Choice
      : Entry extends { optional: true }
        ? string | undefined
        : string

/**
 * @param source usually `process.env`
 * @returns the typed, frozen values
 * @throws BootError naming every variable that is missing or malformed; a secret's text is never shown.
 */
export function readEnv<const Catalogue extends EnvCatalogue>(
  source: Readonly<Record<string, string | undefined>>,
  catalogue: Catalogue
): { readonly [Name in keyof Catalogue]: Value<Catalogue[Name]> } {
  const values: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [name, entry] of Object.entries(catalogue)) {
    const text = source[name]
    const value = text === undefined || text === '' ? entry.default : parse(entry, text)
    if (value !== undefined) values[name] = value
    else if (text === undefined || text === '') {
      if (!('optional' in entry && entry.optional)) problems.push(missing(name, source, entry))
    } else problems.push(malformed(name, text, entry))
  }
  if (problems.length > 0) throw new BootError(problems)
  return deepFreeze(values) as never
}

function parse(entry: EnvEntry, text: string): unknown {
  switch (entry.type) {
    case 'string':
      return text
    case 'boolean':
      return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined
    case 'enum':
      return entry.values.includes(text) ? text : undefined
    case 'integer': {
      const value = Number(text)
      if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) return undefined
      return value < (entry.min ?? -Infinity) || value > (entry.max ?? Infinity) ? undefined : value
    }
  }
}

function missing(name: string, source: Readonly<Record<string, string | undefined>>, entry: EnvEntry): Problem {
  // One edit at most: an environment is full of short names that are near each other by chance.
  const others = Object.keys(source).filter((key) => key !== name && source[key] !== '')
  const near = nearestName(name, others, 1)
  return {
    code: 'SVC_KERNEL_ENV',
    message: `the environment variable is not set${near === undefined ? '' : ` (did you mean ${near}, which is set?)`}`,
    at: name,
    expected: expected(entry),
    fix: `add ${name}=... to .env`,
    more: MORE
  }
}

function malformed(name: string, text: string, entry: EnvEntry): Problem {
  const secret = entry.type === 'string' && entry.secret === true
  return {
    code: 'SVC_KERNEL_ENV',
    message: 'the environment variable has an invalid value',
    at: name,
    got: secret ? `text of ${text.length} characters` : JSON.stringify(text),
    expected: expected(entry),
    fix: `${name}=${example(entry)}, in .env or in the environment`,
    more: MORE
  }
}

function example(entry: EnvEntry): string {
  if (entry.default !== undefined) return String(entry.default)
  switch (entry.type) {
    case 'enum':
      return entry.values[0] ?? ''
    case 'integer':
      return String(entry.min ?? 0)
    default:
      return 'true'
  }
}

function expected(entry: EnvEntry): string {
  switch (entry.type) {
    case 'string':
      return 'text'
    case 'boolean':
      return 'true | false'
    case 'enum':
      return entry.values.join(' | ')
    case 'integer':
      return `an integer${entry.min === undefined ? '' : ` from ${entry.min}`}${entry.max === undefined ? '' : ` to ${entry.max}`}`
  }
}
