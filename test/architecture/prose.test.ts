/** Pages for readers are short, and avoid the phrases that readers stumble over. Tables of all there is are as long as they are. */
import t from 'tap'
import { noFindings } from './no-findings.ts'
import { proseFindings } from './prose.ts'
import { readFiles } from './repository.ts'

const TABLES = /^docs\/(?:conformance|reference\/(?:asvs|options|errors|api\/.*))\.md$|^docs\/reference\/api\//

const rows: [what: string, text: string, findings: number][] = [
  ['a page of 150 lines', 'a\n'.repeat(150), 0],
  ['a page of 151 lines', 'a\n'.repeat(151), 1],
  ['the name of a command that no registry has', 'Run `npx svc-cli docs`.', 1],
  ['a possessive that English does without', 'Plugins of yours, and one of ours.', 2],
  ['words of another age', 'Whoever is told reads it anew.', 3],
  ['plain English', 'You see what you stored again.', 0]
]

for (const [what, text, findings] of rows) {
  t.test(what, async (t) => {
    t.equal(proseFindings([{ path: 'a.md', text }]).length, findings)
  })
}

t.test('this repository', async (t) => {
  const pages = readFiles('*.md', 'docs/*.md', 'docs/{guides,reference,benchmarks}/*.md', 'plugins/*/README.md')
  t.ok(pages.length > 100, 'there are pages')
  noFindings(t, proseFindings(pages.filter(({ path }) => !TABLES.test(path))), 'pages')
})
