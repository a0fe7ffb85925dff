/** Full-text search over the pages of `svc docs`. What it finds is a section; a page appears once, by its best one. */
import MiniSearch from 'minisearch'
import { OF_A_VERSION, type Page } from './pages.ts'

export interface Hit {
  /** The name that `svc docs` takes. */
  readonly page: string
  readonly title: string
  /** The heading of the section; empty for the text above the first one. */
  readonly heading: string
  /** The first line of the section that has one of the words. */
  readonly line: string
}

interface Section {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly heading: string
  /** What `docs/index.md` says that the page is for. */
  readonly tasks: string
  readonly text: string
}

const HITS = 5

/** Words of a question that say nothing about its subject. */
const FILLERS = new Set(
  'a an and are can do does for from get have how i in is it my of on or svc the to use want what when where which with'.split(
    ' '
  )
)

/** Pages that list everything, or what changed: a guide with the same words comes first. */
const LISTINGS = new Set([
  'asvs',
  'audit',
  'commands',
  'conformance',
  'contributing',
  'dependencies',
  'errors',
  'index',
  'internals',
  'new-data-0.2.0',
  'options',
  'packages',
  'publishing'
])

export interface DocsSearch {
  /** Sections with every word; where the question has several words, then sections with some of them. */
  find(question: string): Hit[]
  /** The question in words of the pages, where one of its words is a letter or two off; else undefined. */
  corrected(question: string): string | undefined
}

export function searchOf(pages: readonly Page[]): DocsSearch {
  const sections = sectionsOf(pages)
  const index = new MiniSearch<Section>({
    fields: ['name', 'title', 'heading', 'tasks', 'text'],
    processTerm: stem,
    searchOptions: {
      boost: { name: 5, title: 4, tasks: 4, heading: 3 },
      weights: { prefix: 0.6, fuzzy: 0.2 },
      prefix: (term) => term.length > 2,
      boostDocument: (id: number) => weightOf(sections[id]?.name ?? '')
    }
  })
  index.addAll(sections)

  function find(question: string): Hit[] {
    const results = index.search(question, { combineWith: 'AND' })
    if (/\s/.test(question)) results.push(...index.search(question))
    const hits = new Map<string, Hit>()
    for (const { id, terms } of results) {
      const section = sections[id]
      if (hits.size === HITS) break
      if (section !== undefined && !hits.has(section.name)) hits.set(section.name, hitOf(section, terms))
    }
    return [...hits.values()]
  }

  return {
    find,
    corrected: (question) => index.autoSuggest(question, { fuzzy: 0.2, prefix: false })[0]?.suggestion
  }
}

function sectionsOf(pages: readonly Page[]): Section[] {
  const tasks = tasksByPage(pages.find(({ name }) => name === 'index')?.text ?? '')
  return pages
    .flatMap((page) => splitByHeading(page.text).map((section) => ({ ...page, ...section })))
    .map((section, id) => ({ ...section, id, tasks: tasks.get(section.name) ?? '' }))
}

/** At `##` and `###` outside blocks of code. */
function splitByHeading(text: string): Array<{ heading: string; text: string }> {
  const sections = [{ heading: '', lines: [] as string[] }]
  let inCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode
    const heading = inCode ? undefined : /^#{2,3} (.+)$/.exec(line)?.[1]
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading: heading.replaceAll('`', ''), lines: [] })
  }
  return sections.map(({ heading, lines }) => ({ heading, text: lines.join('\n') }))
}

/** Of the rows `| task | links to pages |`. */
function tasksByPage(index: string): Map<string, string> {
  const tasks = new Map<string, string>()
  for (const [, task = '', links = ''] of index.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)) {
    for (const [, page = ''] of links.matchAll(/\]\((?:[^)]*\/)?([\w.-]+)\.md\)/g)) {
      tasks.set(page.toLowerCase(), `${tasks.get(page.toLowerCase()) ?? ''} ${task}`)
    }
  }
  return tasks
}

/** In lower case and in the singular; null for a filler. */
function stem(term: string): string | null {
  const word = term.toLowerCase()
  if (FILLERS.has(word)) return null
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^aiusx]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

function weightOf(name: string): number {
  if (OF_A_VERSION.test(name)) return 0.1
  return LISTINGS.has(name) ? 0.2 : 1
}

function hitOf({ name, title, heading, text }: Section, terms: readonly string[]): Hit {
  const lines = text.split('\n').filter((line) => !/^(```|# |\| -)/.test(line) && line.trim() !== '')
  const line = lines.find((each) => terms.some((term) => each.toLowerCase().includes(term))) ?? lines[0] ?? ''
  return { page: name, title, heading, line: excerpt(line) }
}

function excerpt(line: string): string {
  const text = line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(\||[-*]|\d+\.)\s*|\s*\|\s*$/g, '')
    .trim()
  return text.length > 110 ? `${text.slice(0, 109)}…` : text
}
