/** What a stranger reads first: two commands, a short page, and nothing twice. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { readPage } from './documentation/markdown-page.ts'
import { inRepository } from './documentation/repository.ts'

const MOST_LINES = 110

const text = readFileSync(inRepository('README.md'), 'utf8')
const { blocks, prose } = readPage('README.md', text)

/** The sentences of the prose; a row of a table or of a list is one, too. */
function sentences(lines: readonly string[]): string[] {
  const flowing = lines.join('\n').replace(/(?<=\S)\n(?=[^\s|#>*-])/g, ' ')
  return flowing.split(/\n+|(?<=[.:!?]) (?=[A-Z`*[])/).map((sentence) => sentence.replace(/[*`]/g, '').trim())
}

function repeated(lines: readonly string[]): string[] {
  const all = sentences(lines).filter((sentence) => sentence.split(' ').length > 3)
  return all.filter((sentence, index) => all.indexOf(sentence) !== index)
}

t.test('opens with one sentence and two commands, and is short', async (t) => {
  const [first] = blocks
  t.equal(first?.language, 'bash')
  t.equal(first?.code.trim(), 'npm start\nnpm test')
  const before = sentences(prose.slice(0, first?.line)).filter(
    (sentence) => !sentence.startsWith('#') && sentence !== ''
  )
  t.equal(before.length, 1, before.join(' / '))
  t.ok(text.trimEnd().split('\n').length <= MOST_LINES)
})

t.test('has a picture before its first section, and one table of figures', async (t) => {
  t.match(text.split('\n## ')[0], /!\[[^\]]+\]\(docs\/console\/[\w-]+\.png\)/)
  t.equal([...text.matchAll(/^\| svc \|/gm)].length, 1)
})

t.test('says nothing twice', async (t) => {
  t.strictSame(repeated(prose), [])
  t.strictSame(repeated(['A is one of two.', 'B is more.', '', '- **A** is one of', 'two. C is all of it.']), [])
  t.strictSame(repeated(['A is one of two. B is', 'more than that.', '', 'C. A is one of two.']), ['A is one of two.'])
})
