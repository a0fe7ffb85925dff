/** The kinds of jobs that an application has, by name. */

import { JobDefined, UnknownJob } from '../errors.ts'
import type { JobsConfig } from '../options.ts'
import { bodyCheck } from './body-check.ts'
import type { JobDefinition, JobOptions, JobWork } from './job-definition.ts'

export type JobDefaults = Pick<JobsConfig, 'retries' | 'timeoutS'>

export class JobRegistry {
  readonly #defaults: JobDefaults
  readonly #definitions = new Map<string, JobDefinition>()
  #sealed = false

  constructor(defaults: JobDefaults) {
    this.#defaults = defaults
  }

  get names(): readonly string[] {
    return [...this.#definitions.keys()]
  }

  /** Definitions end: every instance of a release has the same ones. */
  seal(): void {
    this.#sealed = true
  }

  /** @throws JobDefined */
  add(name: string, options: JobOptions, work: JobWork<never>): void {
    if (this.#sealed) throw new JobDefined(name, 'the application has started')
    if (this.#definitions.has(name)) throw new JobDefined(name, 'another one has this name')
    if (!/^[\w.:-]{1,100}$/.test(name)) throw new JobDefined(name, 'a name has 1 to 100 letters, digits and . : - _')
    const { retries, timeoutS } = { ...this.#defaults, ...options }
    const { lane = name, unique, keepBody = true } = options
    this.#definitions.set(name, {
      name,
      retries,
      timeoutMs: timeoutS * 1000,
      keepBody,
      lane: typeof lane === 'string' ? () => lane : (body) => lane(body as never),
      unique: (body) => uniqueKey(name, unique, body),
      check: bodyCheck(name, options.body),
      work: (body, job) => work(body as never, job)
    })
  }

  find(name: string): JobDefinition | undefined {
    return this.#definitions.get(name)
  }

  /** @throws UnknownJob */
  get(name: string): JobDefinition {
    const definition = this.#definitions.get(name)
    if (definition === undefined) throw new UnknownJob(name, this.names.join(', ') || 'none')
    return definition
  }
}

function uniqueKey(name: string, unique: JobOptions['unique'], body: unknown): string | null {
  if (unique === undefined) return null
  return `${name} ${unique === true ? JSON.stringify(sorted(body)) : unique(body as never)}`
}

/** With the keys of every object in one order: two bodies that say the same are the same text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)])
  )
}
