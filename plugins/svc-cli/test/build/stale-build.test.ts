/** Sources against their build, by the time they were written. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { noteLeftOut, staleBuild } from '../../src/build/stale-build.ts'
import { sandbox } from '../support/sandbox.ts'

/** Files and the second they were last written. */
function folderWith(root: string, files: Record<string, number>): string {
  for (const [path, second] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
    utimesSync(join(root, path), second, second)
  }
  return root
}

const rows: Array<[name: string, files: Record<string, number>, names: string | null]> = [
  ['up to date', { 'app.ts': 1, 'dist/app.js': 2 }, null],
  ['written in the same moment', { 'app.ts': 2, 'dist/app.js': 2 }, null],
  ['edited since', { 'app.ts': 3, 'dist/app.js': 2 }, '1 source file is newer than the build (app.ts)'],
  [
    'added since',
    { 'controllers/a.ts': 1, 'dist/app.js': 2 },
    '1 source file is newer than the build (controllers/a.ts)'
  ],
  [
    'many',
    { 'a.ts': 1, 'b.ts': 1, 'c.ts': 1, 'd.ts': 1 },
    '4 source files are newer than the build (a.ts, b.ts, c.ts …)'
  ],
  ['tests, declarations and what is not TypeScript', { 'test/a.ts': 9, 'b.d.ts': 9, 'c.md': 9 }, null],
  ['packages and hidden folders', { 'node_modules/x/a.ts': 9, '.svc-build/a.ts': 9 }, null],
  ['a deployment without sources', { 'dist/app.js': 2 }, null]
]

for (const [name, files, message] of rows) {
  t.test(name, async (t) => {
    t.equal(staleBuild(folderWith(sandbox(t), files))?.message ?? null, message)
  })
}

t.test('what the compiler left out is no source of the build; what came later is one', async (t) => {
  const root = folderWith(sandbox(t), { 'app.ts': 1, 'scripts/seed.ts': 1, 'vite.config.mts': 1, 'dist/app.js': 2 })
  t.match(staleBuild(root)?.message, /scripts\/seed\.ts, vite\.config\.mts/, 'no build says that it left them out')
  noteLeftOut(root, join(root, 'dist'))
  t.equal(staleBuild(root), null)
  folderWith(root, { 'scripts/seed.ts': 3, 'controllers/a.ts': 1 })
  t.match(staleBuild(root)?.message, '1 source file is newer than the build (controllers/a.ts)')
})
