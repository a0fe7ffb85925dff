/** The framework's collections keep the indexes that they had in 0.1.0: a database of then opens without a new one. */
import { readFileSync } from 'node:fs'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { documents } from '../support/documents.ts'
import { BRICKS, documentStores } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

interface Index {
  readonly key: [field: string, direction: 1 | -1][]
  readonly unique?: true
  readonly where?: object
}

const expected = JSON.parse(
  readFileSync(new URL('../../../test/vectors/store-indexes.json', import.meta.url), 'utf8')
) as Readonly<Record<string, Readonly<Record<string, Index>>>>

t.test('indexes of every store', async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri })
  for (const brick of BRICKS) documentStores[brick](connection, new ManualClock())
  await connection.open()
  for (const [collection, indexes] of Object.entries(expected)) {
    const found = Object.keys(indexes).length === 0 ? [] : await connection.db.collection(collection).indexes()
    const made = found
      .filter(({ name }) => name !== '_id_')
      .map(({ name, key, unique, partialFilterExpression: where }): [string, Index] => [
        name ?? '',
        { key: Object.entries(key) as Index['key'], ...(unique === true && { unique }), ...(where && { where }) }
      ])
    t.same(Object.fromEntries(made), indexes, collection)
  }
})
