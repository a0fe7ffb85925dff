/** No circle of imports between the folders of a package. */
import t from 'tap'
import { folderCircleFindings } from './folder-circles.ts'
import { noFindings } from './no-findings.ts'
import { packageNames, readFiles } from './repository.ts'

function imports(edges: Record<string, string[]>): { path: string; text: string }[] {
  return Object.entries(edges).map(([path, targets]) => ({
    path: `plugins/svc-x/src/${path}.ts`,
    text: targets.map((target) => `import type { A } from '${target}.ts'`).join('\n')
  }))
}

const rows: [what: string, edges: Record<string, string[]>, circles: number][] = [
  ['one folder', { 'a/x': ['./y'], 'a/y': ['./x'] }, 0],
  ['a line of folders', { 'a/x': ['../b/x'], 'b/x': ['../c/x'], 'c/x': [] }, 0],
  ['two folders, through different files', { 'a/x': ['../b/x'], 'b/y': ['../a/y'] }, 1],
  ['three folders', { 'a/x': ['../b/x'], 'b/y': ['../c/x'], 'c/y': ['../a/y'] }, 1],
  ['a folder and one inside it', { 'a/x': ['./b/x'], 'a/b/y': ['../y'] }, 1],
  ['folders two levels down', { 'a/b/x': ['../c/x'], 'a/c/y': ['../b/y'] }, 1],
  ['folders three levels down are one', { 'a/b/c/x': ['../d/x'], 'a/b/d/y': ['../c/y'] }, 0],
  ['through the entry, which is in no folder', { 'a/x': ['../index'], index: ['./a/y'] }, 0]
]

for (const [what, edges, circles] of rows) {
  t.test(what, async (t) => {
    t.equal(folderCircleFindings(imports(edges)).get('svc-x')?.length ?? 0, circles)
  })
}

t.test('this repository', async (t) => {
  const found = folderCircleFindings(readFiles('plugins/*/src/**/*.ts'))
  for (const name of packageNames()) {
    const circles = found.get(name) ?? []
    noFindings(t, circles, `folders of ${name}`)
  }
})
