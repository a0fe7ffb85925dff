/** Documents whose reference names no document, or one of another scope: counted in pages by id, on any server. */
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
  const { column, existing, within } = reference
  const key = keyField(existing?.key)
  const scope = within === undefined ? {} : { [within]: 1 }
  const [dangling, crossing] = [new Found(), new Found()]
  let last: Document | null = null
  for (;;) {
    const filter: Document = { [column]: { $ne: null }, ...(last !== null && { _id: { $gt: last._id } }) }
    const found: Document[] = await documents
      .find(filter, { projection: { _id: 1, [column]: 1, ...scope }, sort: { _id: 1 }, limit: BATCH })
      .toArray()
    const held = [...new Map(found.map((each) => [String(each[column]), each[column] as unknown])).values()]
    const there = await owners.find({ [key]: { $in: held } }, { projection: { [key]: 1, ...scope } }).toArray()
    const known = new Map(there.map((owner) => [String(owner[key]), owner]))
    for (const each of found) {
      const owner = known.get(String(each[column]))
      if (owner === undefined) dangling.add(each)
      else if (within !== undefined && owner[within] !== each[within]) crossing.add(each)
    }
    last = found.at(-1) ?? null
    if (found.length < BATCH) break
  }
  if (dangling.count > 0) throw danglingRows(entity, reference, dangling.count, dangling.rows)
  if (crossing.count > 0) throw danglingRows(entity, reference, crossing.count, crossing.rows, within)
}

class Found {
  readonly rows: string[] = []
  count = 0

  add({ _id }: Document): void {
    this.count += 1
    if (this.rows.length < NAMED) this.rows.push(String(_id))
  }
}

function keyField(key = 'id'): string {
  return key === 'id' ? '_id' : key
}
