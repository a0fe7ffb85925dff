/** Free-text search: letters in any case, and every other character for itself. */
import assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-suite.ts'

export interface Search<Store> {
  /** Named in the case. */
  readonly fields: string
  /** Only the beginning of the text counts. */
  readonly anchored: boolean
  /** Stores a record whose text is `text`; texts differ. */
  seed(store: Store, text: string, index: number): Promise<unknown>
  /** The texts found. */
  search(store: Store, q: string): Promise<readonly (string | null)[]>
}

const TEXTS = [
  'Alpha',
  'al%ha',
  'al_ha',
  'a.*a',
  'back\\slash',
  'x+y',
  '(group',
  '[set]',
  '^top',
  'end$',
  'a|b',
  'zalpha'
]

export function searchCases<Store>({ fields, anchored, seed, search }: Search<Store>): ConformanceCase<Store>[] {
  return [
    [
      `searches ${fields}: ${anchored ? 'its beginning' : 'any part'}, in any case, every character literally`,
      async ({ store }) => {
        for (const [index, text] of TEXTS.entries()) await seed(store, text, index)
        const terms = ['alpha', 'ALPHA', '%', '_', 'al%', 'al_', '.', '.*', '\\', '\\s', '+', '(', '[', '^', '$', '|']
        for (const q of [...terms, 'nothing', 'end$', 'a', '%%', '__', "'", '']) {
          const expected = TEXTS.filter((text) => {
            const at = text.toLowerCase().indexOf(q.toLowerCase())
            return anchored ? at === 0 : at >= 0
          })
          assert.deepEqual([...(await search(store, q))].sort(), expected.sort(), `searching ${JSON.stringify(q)}`)
        }
      }
    ]
  ]
}
