/** Documents whose reference names no document: counted in pages by id, on any server. */
import type { Collection, Document } from 'mongodb'
import { danglingRows, type MigratedReference } from 'svc-orm/driver'

const BATCH = 1000

/** How many are named. */
const NAMED = 5

/** @throws BootError SVC_ORM_MIGRATION_DATA */
export async function refuseDangling(
  entity: string,
  reference: MigratedReference,
  documents: Collection,
  owners: Collection
): Promise<void> {
  const { column, existing } = reference
  const key = keyField(existing?.key)
  const rows: string[] = []
  let count = 0
  let last: Document | null = null
  for (;;) {
    const filter: Document = { [column]: { $ne: null }, ...(last !== null && { _id: { $gt: last._id } }) }
    const found: Document[] = await documents
      .find(filter, { projection: { _id: 1, [column]: 1 }, sort: { _id: 1 }, limit: BATCH })
      .toArray()
    const held = [...new Map(found.map((each) => [String(each[column]), each[column] as unknown])).values()]
    const there = await owners.find({ [key]: { $in: held } }, { projection: { [key]: 1 } }).toArray()
    const known = new Set(there.map((owner) => String(owner[key])))
    const dangling = found.filter((each) => !known.has(String(each[column])))
    count += dangling.length
    rows.push(...dangling.slice(0, NAMED - rows.length).map(({ _id }) => String(_id)))
    last = found.at(-1) ?? null
    if (found.length < BATCH) break
  }
  if (count > 0) throw danglingRows(entity, reference, count, rows)
}

function keyField(key = 'id'): string {
  return key === 'id' ? '_id' : key
}
