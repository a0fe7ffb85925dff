/** No path of one machine, no registry address, no note of unfinished work, in any text of the repository. */
import t from 'tap'
import { noFindings } from './no-findings.ts'
import { readFiles } from './repository.ts'
import { strayTextFindings } from './stray-text.ts'

// Assembled here, so that this file holds none of what it looks for.
const rows: [what: string, text: string, found: boolean][] = [
  ['a folder of a machine', `see ${'/wo'}rk/main/a.ts`, true],
  ['a home folder', `cd ${'/ho'}me/alice/app`, true],
  ['a registry', `${'https'}://registry.example.org/a`, true],
  ['a resolved lockfile entry', `"resolved"${': '}"https://example.org/a.tgz"`, true],
  ['a note', `// ${'TO'}${'DO'} later`, true],
  ['an example of a home folder', 'cd /home/me/shop', false],
  ['a path from the root', 'see plugins/svc-kernel/src/index.ts', false],
  ['a path inside an address', 'http://127.0.0.1:5151/work/1', false],
  ['a linked package', '"resolved": "plugins/svc-kernel"', false]
]

for (const [what, text, found] of rows) {
  t.test(what, async (t) => {
    t.equal(strayTextFindings([{ path: 'a.md', text: `a\n${text}` }]).length, found ? 1 : 0)
  })
}

t.test('this repository', async (t) => {
  const written = '{ts,js,mjs,json,md,yml,yaml,html,css,sh}'
  const files = readFiles(
    `*.${written}`,
    `{plugins,app-template,test,docs,.config}/**/*.${written}`,
    '.ci/*',
    '.taprc',
    '.npmrc'
  )
  t.ok(
    files.some(({ path }) => path === 'package-lock.json'),
    'the lockfile is among them'
  )
  const checked = files.filter(({ path }) => !path.startsWith('test/vectors/'))
  noFindings(t, strayTextFindings(checked), 'texts')
})
