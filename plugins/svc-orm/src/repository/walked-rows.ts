/** Pages, and rows of a `stream`: read a thousand at a time by the order of the walk, and handed on one by one. */
import type { Selection, SortKey } from 'svc-stores/table'
import { cursorBehind, DEFAULT_PAGE, decodeCursor } from '../criteria/cursor.ts'
import type { FindScope } from '../criteria/find-scope.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { KeysetPage } from './repository.ts'
import { storedRow } from './row-codec.ts'

export const WALKED_AT_ONCE = 1000

/** Options of a find that a walk has no use for. @throws InvalidFindOptions */
export function refuseOptions(operation: string, options: object, names: readonly string[]): void {
  for (const name of names) if (name in options) throw new InvalidFindOptions(name, `no such option of ${operation}`)
}

/** @param cursor `next` of the previous page; absent for the first @param read the rows behind one @throws InvalidFindOptions */
export async function walkedPage(
  entity: CompiledEntity,
  cursor: unknown,
  selection: Selection<AnyRow>,
  scope: FindScope,
  read: (some: Selection<AnyRow>, last: AnyRow | null) => Promise<AnyRow[]>
): Promise<KeysetPage<AnyRow> & { readonly order: readonly SortKey[] }> {
  const { order: asked = [], limit = DEFAULT_PAGE } = selection
  const from = cursor === undefined ? null : decodeCursor(entity, asked, cursor, scope)
  const order = from?.order ?? asked
  const rows = await read({ ...selection, order, limit: limit + 1 }, from?.row ?? null)
  return { items: rows.slice(0, limit), next: cursorBehind(entity, { rows, limit, order }, scope), order }
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
