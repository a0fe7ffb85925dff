/** What each package exports is on its page below `docs/reference/api`: a name that comes, goes or changes is seen in review. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { API_PAGES, apiPage, changedNames } from './documentation/api-report.ts'
import { inRepository } from './documentation/repository.ts'

const ACCEPT = 'to accept: npm run tables, and a line in CHANGELOG.md'

t.test('the names of every package', async (t) => {
  const pages: string[] = []
  for (const name of packageNames()) {
    const now = apiPage(name)
    if (now === null) continue
    const path = `${API_PAGES}/${name}.md`
    pages.push(`${name}.md`)
    const before = existsSync(inRepository(path)) ? readFileSync(inRepository(path), 'utf8') : ''
    t.strictSame(changedNames(before, now), [], `${path}; ${ACCEPT}`)
    t.equal(before, now, `${path} is as it is written; ${ACCEPT}`)
  }
  t.strictSame(readdirSync(inRepository(API_PAGES)).sort(), pages.sort(), `a page for each package in ${API_PAGES}`)
})

t.test('what a change is', async (t) => {
  const page = (...declarations: string[]) =>
    `# x\n\n## svc-x\n\n\`\`\`typescript\n${declarations.join('\n\n')}\n\`\`\`\n`
  const before = page('interface Kept {\n}', 'declare const gone: 1;', 'declare function f(a: string): void;')
  const after = page("export { Came } from 'svc-y';", 'declare function f(a: number): void;', 'interface Kept {\n}')
  t.strictSame(changedNames(before, after), ['appeared  svc-x: Came', 'changed  svc-x: f', 'went  svc-x: gone'])
  t.strictSame(changedNames(before, before), [])
})

t.test('declarations are found where they are made', async (t) => {
  const page = apiPage('svc-audit') ?? ''
  t.match(page, /^## svc-audit\/conformance$/m, 'each entry')
  t.match(page, /^interface AuditFilter \{$/m, 'of a file that the entry names')
  t.match(page, /^declare const AuditUnstored: /m, 'of a file that it exports as a whole')
  t.match(apiPage('svc-docdb') ?? '', /^declare module 'fastify' \{$/m, 'what it adds to others')
  t.notMatch(page, '/**')
  t.equal(apiPage('create-svc'), null)
})
