/** Data that lies in the build: no build deletes it, and no start passes it over. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildApp, fullApp } from '../support/full-app.ts'
import { write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

t.test('R4: data that lies in the build outlives it; the build and the start say so', async (t) => {
  const cwd = await fullApp(t)
  await write(cwd, 'dist/data/documents.db', 'of an earlier version')
  await write(cwd, 'dist/old/deep/gone.js', 'export {}')
  const warned = await buildApp(cwd)
  t.match(
    warned,
    /▲ SVC_BUILD_KEPT {2}dist\/ contains 1 file that no build wrote[^\n]*\n {2}at: dist\/data\/documents\.db\n/
  )
  t.match(warned, / fix: .*mv dist\/data data\n/)
  t.equal(readFileSync(join(cwd, 'dist/data/documents.db'), 'utf8'), 'of an earlier version')
  t.notOk(existsSync(join(cwd, 'dist/old')), 'what a compiler made of a deleted source is gone, and its folder')

  const refused = await runSvc(['start'], { cwd, env: { PORT: '0', NODE_ENV: 'development' } })
  t.equal(refused.code, 1)
  t.match(
    refused.stderr,
    /✖ SVC_DATA_MOVED [^\n]*\n {2}at: .*dist\/data\/documents\.db\n {2}got [^\n]*\n {2}fix: mkdir/
  )
  t.notOk(existsSync(join(cwd, 'data')), 'and no empty database stands in its place')
})
