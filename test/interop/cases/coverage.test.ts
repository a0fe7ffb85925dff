/** Every published case is tested, once. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { publishedCount, securityCases } from './security-cases.ts'

const CALL = /^securityCase\(\s*'([A-Z]{3}-\d{2})'/gm

const files = globSync('*.test.js', { cwd: import.meta.dirname })
const tested = files.flatMap((file) =>
  [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(CALL)].map(([, id]) => String(id))
)

t.test('the published file names each case once', async (t) => {
  t.equal(publishedCount, 232)
  t.equal(securityCases.size, publishedCount)
})

t.test('every case is tested', async (t) => {
  const missing = [...securityCases.keys()].filter((id) => !tested.includes(id))
  t.strictSame(missing, [])
  t.equal(tested.length, publishedCount)
})

t.test('no case is tested twice, or unknown', async (t) => {
  t.strictSame(
    tested.filter((id, index) => tested.indexOf(id) !== index),
    []
  )
  t.strictSame(
    tested.filter((id) => !securityCases.has(id)),
    []
  )
})
