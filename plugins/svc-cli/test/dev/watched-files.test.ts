/** Which files matter to the running code, and which to its types. */
import t from 'tap'
import { mattersToApp, mattersToTypes } from '../../src/dev/watched-files.ts'

const rows: Array<[path: string, isLoaded: boolean, app: boolean, types: boolean]> = [
  ['controllers/a.ts', true, true, true],
  ['controllers/new.ts', false, true, true],
  ['lib/a.mjs', false, true, false],
  ['types.d.ts', false, false, true],
  ['svc.config.ts', true, true, true],
  ['.env', false, true, false],
  ['.env.local', false, true, false],
  ['.env.example', false, false, false],
  ['tsconfig.json', false, true, true],
  ['package.json', false, true, false],
  ['package-lock.json', false, false, false],
  ['data/rows.json', false, false, false],
  ['data/rows.json', true, true, false],
  ['test/hello.test.ts', false, false, true],
  ['test/shared.ts', true, true, true],
  ['dist/app.js', false, false, false],
  ['dist/app.ts', false, false, false],
  ['node_modules/x/index.js', false, false, false],
  ['.git/index.ts', false, false, true],
  ['.cache/a.js', false, false, false],
  ['README.md', false, false, false],
  ['../other/a.ts', false, false, false]
]

for (const [path, isLoaded, app, types] of rows) {
  t.test(`${path}${isLoaded ? ', loaded' : ''}`, async (t) => {
    t.equal(mattersToApp('/app', `/app/${path}`.replace('/app/..', ''), isLoaded), app)
    t.equal(mattersToTypes('/app', `/app/${path}`.replace('/app/..', '')), types)
  })
}

t.test('the root itself', async (t) => {
  t.notOk(mattersToApp('/app', '/app', true))
})
