/** Deletes what a filter matches: one document, or all. */
import { parseFilter } from '../matching/parse-filter.ts'
import { readCollection } from '../planning/read-collection.ts'
import type { Document, Value } from '../values/value.ts'
import type { CommandContext } from './command.ts'

export interface DeleteStatement {
  readonly filter: Document
  readonly hint: Value | undefined
  /** 0 deletes all. */
  readonly limit: number
}

/** How many were deleted. */
export async function deleteMatching(
  name: string,
  statement: DeleteStatement,
  context: CommandContext
): Promise<number> {
  const { engine, database, transaction, settled } = context
  const filter = parseFilter(statement.filter)
  let deleted = 0
  await settled(() => {
    const collection = engine.catalog.find(database, name)
    if (collection === undefined) return
    const { hint, limit } = statement
    for (const { record } of readCollection(collection, { filter, hint, limit, reader: transaction })) {
      collection.remove(record, transaction)
      deleted += 1
    }
  })
  return deleted
}
