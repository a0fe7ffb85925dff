/**
 * The steps of an attempt: what an earlier attempt has done is not done again, and its result is given back. A step whose
 * process ends before its result is stored is done again, unless it works in a transaction, which stores both or neither.
 */
import { copyJson } from 'svc-stores/plugin'
import type { Transaction } from 'svc-stores/table'
import { InvalidStep } from '../errors.ts'
import type { StepResult, StepStore } from '../records/table-steps.ts'

/**
 * Does a step. Work that declares a parameter gets an open transaction of the database that keeps jobs, and may run again
 * after a conflict; what it writes there is stored with its result, or not at all.
 */
export type StepWork<Result> = (() => Result | Promise<Result>) | ((tx: Transaction) => Promise<Result>)

export interface JobStepsParts {
  readonly store: StepStore
  /** Id of the job. */
  readonly job: string
  readonly signal: AbortSignal
}

/** The largest result, in bytes of JSON. */
const RESULT = 65_536
const MOST_STEPS = 1_000
const NAME = 200

export class JobSteps {
  readonly #parts: JobStepsParts
  readonly #names = new Set<string>()
  #kept: Promise<ReadonlyMap<string, StepResult>> | null = null

  constructor(parts: JobStepsParts) {
    this.#parts = parts
  }

  /** @throws InvalidStep, the reason of the signal once it is aborted, and what `work` throws */
  async run<Result>(name: string, work: StepWork<Result>): Promise<Result> {
    const { store, job, signal } = this.#parts
    this.#begin(name)
    this.#kept ??= store.load(job)
    const kept = (await this.#kept).get(name)
    if (kept !== undefined) return kept.value as Result
    signal.throwIfAborted()
    const made = async (tx: Transaction) => resultOf(name, await work(tx))
    const result = work.length > 0 ? await store.within(job, name, made) : await this.#alone(name, work)
    return result.value as Result
  }

  async #alone(name: string, work: StepWork<unknown>): Promise<StepResult> {
    const { store, job } = this.#parts
    return store.keep(job, name, resultOf(name, await (work as () => unknown)()))
  }

  #begin(name: string): void {
    if (typeof name !== 'string' || name === '' || name.length > NAME)
      throw new InvalidStep(String(name).slice(0, NAME), `a name has 1 to ${NAME} characters`)
    if (this.#names.has(name)) throw new InvalidStep(name, 'another step of the attempt has this name')
    if (this.#names.size === MOST_STEPS) throw new InvalidStep(name, `a job has at most ${MOST_STEPS} steps`)
    this.#names.add(name)
  }
}

/** As it is stored, so that the first attempt sees what a later one will. @throws InvalidStep */
function resultOf(name: string, value: unknown): StepResult {
  if (value === undefined) return {}
  let json: unknown
  try {
    json = copyJson(value, 'result')
  } catch (error) {
    throw new InvalidStep(name, `its result is not JSON: ${(error as Error).message}`)
  }
  const bytes = Buffer.byteLength(JSON.stringify(json))
  if (bytes > RESULT) throw new InvalidStep(name, `its result has ${bytes} bytes, and at most ${RESULT} are stored`)
  return { value: json }
}
