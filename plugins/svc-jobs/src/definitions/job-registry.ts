/** The kinds of jobs that an application has, by name. */
import { readableError, valueCheck } from 'svc-kernel/plugin'
import { PRIORITIES } from 'svc-queue'
import { InvalidJobBody, InvalidPriority, JobDefined, UnknownJob } from '../errors.ts'
import type { JobsConfig } from '../options.ts'
import { definitionFault } from './definition-fault.ts'
import type { JobDefinition, JobOptions, JobWork } from './job-definition.ts'
import { isLaneName } from './lane-name.ts'
import { isSystemName } from './system-jobs.ts'
import { uniqueKeyOf } from './unique-key.ts'

export type JobDefaults = Pick<JobsConfig, 'retries' | 'timeoutS'>

export class JobRegistry {
  readonly #defaults: JobDefaults
  readonly #definitions = new Map<string, JobDefinition>()
  readonly #lanes = new Set<string>()
  #sealed = false

  constructor(defaults: JobDefaults) {
    this.#defaults = defaults
  }

  /** Those of the application. */
  get names(): readonly string[] {
    return [...this.#definitions.keys()].filter((name) => !isSystemName(name))
  }

  /** Those of maintenance tasks. */
  get systemNames(): readonly string[] {
    return [...this.#definitions.keys()].filter(isSystemName)
  }

  /** Those that definitions name; a body may name others. */
  get lanes(): readonly string[] {
    return [...this.#lanes]
  }

  /** Definitions end: every instance of a release has the same ones. */
  seal(): void {
    this.#sealed = true
  }

  /** @throws JobDefined, InvalidPriority */
  add(name: string, options: JobOptions, work: JobWork<never>): void {
    if (isSystemName(name)) throw new JobDefined(name, 'names that begin so are those of maintenance tasks')
    this.#add(name, options, work)
  }

  /** Of a maintenance task. @throws as `add` */
  addSystem(name: string, options: JobOptions, work: JobWork<never>): void {
    this.#add(name, options, work)
  }

  #add(name: string, options: JobOptions, work: JobWork<never>): void {
    if (this.#sealed) throw new JobDefined(name, 'the application has started')
    if (this.#definitions.has(name)) throw new JobDefined(name, 'another one has this name')
    if (!/^[\w.:-]{1,100}$/.test(name)) throw new JobDefined(name, 'a name has 1 to 100 letters, digits and . : - _')
    const { retries = this.#defaults.retries, timeoutS = this.#defaults.timeoutS } = options
    const { lane = name, unique, uniqueForS = 0, keepBody = true, priority = 'normal' } = options
    const fault = definitionFault({ retries, timeoutS, uniqueForS, lane, unique }, work)
    if (fault !== null) throw new JobDefined(name, fault)
    if (!PRIORITIES.includes(priority)) throw new InvalidPriority(String(priority))
    const system = isSystemName(name)
    if (typeof lane === 'string' && !system) this.#lanes.add(lane)
    this.#definitions.set(name, {
      name,
      system,
      retries,
      timeoutMs: timeoutS * 1000,
      keepBody,
      uniqueForMs: uniqueForS * 1000,
      priority,
      lane: typeof lane === 'string' ? () => lane : (body) => laneOf(name, lane(body as never)),
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

function bodyCheck(name: string, schema: unknown): JobDefinition['check'] {
  try {
    return valueCheck(schema, { of: 'body', refuse: (findings) => new InvalidJobBody(name, findings) })
  } catch (error) {
    throw new JobDefined(name, `its body is no JSON Schema and no Standard Schema: ${readableError(error).message}`)
  }
}

/** @throws InvalidJobBody */
function laneOf(name: string, lane: unknown): string {
  if (isLaneName(lane)) return lane
  throw new InvalidJobBody(name, 'its lane is no text of 1 to 200 characters')
}

/** @throws InvalidJobBody */
function uniqueKey(name: string, unique: JobOptions['unique'], body: unknown): string | null {
  if (unique === undefined) return null
  return uniqueKeyOf(name, unique === true ? JSON.stringify(sorted(body)) : unique(body as never))
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
