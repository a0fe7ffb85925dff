/** Every published case is tested or waits for a named part, never both and never neither. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { notYet } from './not-yet.ts'
import { publishedCount, securityCases } from './security-cases.ts'

const CALL = /^securityCase\(\s*'([A-Z]{3}-\d{2})'/gm

const files = globSync('*.test.js', { cwd: import.meta.dirname })
const tested = files.flatMap((file) =>
  [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(CALL)].map(([, id]) => String(id))
)
const waiting = Object.keys(notYet)

t.test('the published file names each case once', async (t) => {
  t.equal(publishedCount, 232)
  t.equal(securityCases.size, publishedCount)
})

t.test('every case is tested or waits for a part that is named', async (t) => {
  const missing = [...securityCases.keys()].filter((id) => !tested.includes(id) && !waiting.includes(id))
  t.strictSame(missing, [])
  t.equal(tested.length + waiting.length, publishedCount)
})

t.test('no case is tested twice, both tested and waiting, or unknown', async (t) => {
  t.strictSame(duplicates([...tested, ...waiting]), [])
  t.strictSame(
    [...tested, ...waiting].filter((id) => !securityCases.has(id)),
    []
  )
})

t.test('a case that waits says for what', async (t) => {
  for (const [id, reason] of Object.entries(notYet)) t.match(reason, /\S+ \S+.*: \S+/, id)
})

function duplicates(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}
