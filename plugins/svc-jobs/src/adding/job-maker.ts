/** Makes the records of jobs that are to be added: their bodies checked, with what causes them. */
import { currentTraceparent } from 'svc-kernel/plugin'
import { PRIORITIES } from 'svc-queue'
import { UuidIds } from 'svc-stores/table'
import type { JobRegistry } from '../definitions/job-registry.ts'
import { uniqueKeyOf } from '../definitions/unique-key.ts'
import { InvalidDelay, InvalidJobBody, InvalidPriority } from '../errors.ts'
import type { JobCauses } from '../operations/job-cause.ts'
import type { NewRecord } from '../records/job-store.ts'
import type { AddOptions } from './added-job.ts'

export interface JobMakerParts {
  readonly registry: JobRegistry
  readonly causes: JobCauses
  readonly clock: { now(): number }
}

/** Ten years. */
const LONGEST_DELAY_S = 315_360_000

export class JobMaker {
  readonly #parts: JobMakerParts
  readonly #ids: UuidIds

  constructor(parts: JobMakerParts) {
    this.#parts = parts
    this.#ids = new UuidIds(parts.clock)
  }

  /** A new one, for whatever is stored beside jobs. */
  id(): string {
    return this.#ids.generate()
  }

  /** @throws UnknownJob, InvalidPriority, InvalidDelay, InvalidJobBody, JobCaused */
  async record(name: string, given: unknown, { delayS = 0, unique, priority, as }: AddOptions): Promise<NewRecord> {
    const { registry, causes } = this.#parts
    const definition = registry.get(name)
    if (priority !== undefined && !PRIORITIES.includes(priority)) throw new InvalidPriority(String(priority))
    if (!(typeof delayS === 'number' && delayS <= LONGEST_DELAY_S)) throw new InvalidDelay(String(delayS))
    const cause = causes.current(as)
    const body = await definition.check(given)
    return {
      id: this.#ids.generate(),
      name,
      lane: definition.lane(body),
      priority: priority ?? definition.priority,
      system: definition.system,
      // What the caller gave: the schema makes its own of it again before the job runs.
      body: plainJson(name, given),
      uniqueKey: unique === undefined ? definition.unique(body) : uniqueKeyOf(name, unique),
      traceparent: currentTraceparent(),
      cause,
      // A time that is over makes no job due before it was added: it would count as late.
      delayMs: Math.max(0, delayS * 1000),
      uniqueForMs: definition.uniqueForMs
    }
  }
}

/** @throws InvalidJobBody for what JSON cannot hold */
function plainJson(name: string, body: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(body)) as unknown
  } catch {
    throw new InvalidJobBody(name, 'it is not JSON')
  }
}
