/** What is wrong with rows that are written together, gathered so that a caller hears of all at once. */
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { type RowProblem, RowsRefused } from '../errors.ts'

/** An error that a caller can mend. */
interface Refusal extends Error {
  readonly code: string
  readonly statusCode: number
}

/** So many are named in the message. */
const NAMED = 3

export class RowProblems {
  readonly #entity: CompiledEntity
  readonly #problems: (RowProblem & { readonly statusCode: number })[] = []

  constructor(entity: CompiledEntity) {
    this.#entity = entity
  }

  /** @returns what `read` makes of each row, without the rows that it refuses */
  each<Given, Read>(rows: readonly Given[], read: (row: Given, index: number) => Read): Read[] {
    const all: Read[] = []
    let index = 0
    for (const row of rows) {
      try {
        all.push(read(row, index))
      } catch (error) {
        if (!isRefusal(error)) throw error
        this.add(index, error)
      }
      index += 1
    }
    return all
  }

  /** The refusal of one row, with its index. @throws RowsRefused */
  async of<T>(index: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isRefusal(error)) this.add(index, error)
      this.assertNone()
      throw error
    }
  }

  add(index: number, refusal: Error): void {
    const { code, statusCode, message } = refusal as Refusal
    this.#problems.push({ index, code, statusCode, message })
  }

  /** @throws RowsRefused if there is any */
  assertNone(): void {
    if (this.#problems.length === 0) return
    const sorted = this.#problems.toSorted((a, b) => a.index - b.index)
    const statuses = new Set(sorted.map(({ statusCode }) => statusCode))
    const [status = 400] = statuses.size === 1 ? statuses : []
    const named = sorted.slice(0, NAMED).map(({ index, message }) => `${index}: ${message}`)
    const summary = [...named, ...(sorted.length > NAMED ? ['...'] : [])].join('; ')
    const problems = sorted.map(({ index, code, message }) => ({ index, code, message }))
    throw new RowsRefused(this.#entity.name, summary, problems, status)
  }
}

function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode < 500
}
