/** Links of the documentation lead somewhere, and so do the pages that problems and READMEs name. */
import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { readPage } from './documentation/markdown-page.ts'
import { brokenLinks, complaintAbout } from './documentation/page-links.ts'
import { documentationPages, inRepository, ROOT, templatePages } from './documentation/repository.ts'

t.test('links and anchors', async (t) => {
  const pages = [...documentationPages(), ...templatePages()]
  for (const path of pages) {
    t.strictSame(brokenLinks(readPage(path, readFileSync(inRepository(path), 'utf8'))), [], path)
  }
})

t.test('pages that problems name as "more"', async (t) => {
  const sources = globSync('plugins/*/{src,bin}/**/*.{ts,js}', { cwd: ROOT })
  for (const path of sources) {
    const text = readFileSync(inRepository(path), 'utf8')
    for (const [, target = ''] of text.matchAll(/['"`](docs\/[\w./-]+\.md(?:#[\w-]+)?)['"`]/g)) {
      t.equal(complaintAbout('README.md', target), null, `${path} names ${target}`)
    }
  }
})

t.test('every page of docs/ can be reached from its index', async (t) => {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { target } of readPage(path, readFileSync(inRepository(path), 'utf8')).links) {
      const file = target.split('#')[0] ?? ''
      if (/^[a-z]+:/i.test(file) || !file.endsWith('.md')) continue
      if (complaintAbout(path, file) === null) visit(new URL(file, `file:///${path}`).pathname.slice(1))
    }
  }
  visit('docs/index.md')
  const orphans = documentationPages().filter((path) => path.startsWith('docs/') && !reached.has(path))
  t.strictSame(orphans, [])
})

t.test('a broken link is found', async (t) => {
  const page = readPage('docs/index.md', '# Title\n[a](#title) [b](#nowhere) [c](./gone.md) [d](https://example.org/)')
  t.strictSame(brokenLinks({ ...page, path: 'README.md' }).length, 3, 'README.md has no heading "Title"')
  t.strictSame(page.links.length, 4)
})
