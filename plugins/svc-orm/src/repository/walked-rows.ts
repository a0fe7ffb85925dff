/** Rows of a `stream`: read a thousand at a time by the order of the walk, and handed on one by one. */
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions } from '../errors.ts'
import { storedRow } from './row-codec.ts'

export const WALKED_AT_ONCE = 1000

/** Options of a find that a walk has no use for. @throws InvalidFindOptions */
export function refuseOptions(operation: string, options: object, names: readonly string[]): void {
  for (const name of names) if (name in options) throw new InvalidFindOptions(name, `no such option of ${operation}`)
}

export interface Walk {
  /** The rows behind this one, at most `WALKED_AT_ONCE`. */
  next(last: AnyRow | null): Promise<AnyRow[]>
  /** Loads their relations. */
  relate(rows: readonly AnyRow[]): Promise<void>
}

/**
 * @param begin checks the arguments, with the first row that is asked for
 * @param inScopes runs each step in the scopes of its start, in whichever context the rows are taken
 */
export async function* walkedRows(
  entity: CompiledEntity,
  begin: () => Walk,
  inScopes: <T>(work: () => T) => T
): AsyncIterableIterator<AnyRow> {
  const walk = begin()
  for (let last: AnyRow | null = null; ; ) {
    const from = last
    const rows: AnyRow[] = await inScopes(() => walk.next(from))
    const end = rows.at(-1)
    // Before what is only read to find relations is taken from it.
    last = end === undefined ? null : storedRow(entity, end)
    await inScopes(() => walk.relate(rows))
    yield* rows
    if (rows.length < WALKED_AT_ONCE) return
  }
}
