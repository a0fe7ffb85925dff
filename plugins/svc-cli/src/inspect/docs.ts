/** `svc docs`: the documentation that comes with this command, offline: its list, a page, one error code, or a search. */
import { nearestName } from 'svc-kernel/plugin'
import { CommandError } from '../errors.ts'
import { print, printJson, textTable } from '../output.ts'
import { OF_A_VERSION, type Page, readPages } from './pages.ts'
import { type Hit, searchOf } from './search-docs.ts'

/** A row of the reference of error codes. */
interface CodeRow {
  readonly code: string
  /** Of the package that declares it. */
  readonly owner: string
  readonly where: string
  readonly meaning: string
  readonly fix: string
}

/**
 * @param words a code, such as `SVC_PORT_BUSY`; a page; the short name of a package; or words to search for.
 * @throws CommandError SVC_DOCS_UNKNOWN
 */
export function docs(words: readonly string[], options: { readonly json?: boolean } = {}): void {
  const pages = readPages()
  const codes = codeRows(pages.find(({ name }) => name === 'errors')?.text ?? '')
  const answer = answerTo(words.join(' '), pages, codes)
  if (options.json === true) printJson(answer.json)
  else print(answer.text)
}

/** The same answer for people and for programs. */
interface Answer {
  readonly text: string
  readonly json: unknown
}

function answerTo(topic: string, pages: readonly Page[], codes: readonly CodeRow[]): Answer {
  if (topic === '') return list(pages, codes)
  const page = pageNamed(topic.replace(/^.*\//, '').replace(/\.md$/, ''), pages)
  if (page !== undefined) return { text: page.text.trimEnd(), json: page }
  const row = codes.find(({ code }) => code === topic.toUpperCase()) ?? codes.find((each) => isFormOf(topic, each))
  if (row !== undefined) return explanation(row, pages)
  const search = searchOf(pages)
  const hits = /^svc_/i.test(topic) ? [] : search.find(topic)
  if (hits.length === 0)
    throw new CommandError(unknown(topic, nearest(topic, pages, codes) ?? search.corrected(topic)), 2)
  return { text: hits.map(hitText).join('\n\n'), json: { hits } }
}

/** `orm` is svc-orm, where no page has that name. */
function pageNamed(topic: string, pages: readonly Page[]): Page | undefined {
  const name = topic.toLowerCase()
  return pages.find((each) => each.name === name) ?? pages.find((each) => each.name === `svc-${name}`)
}

function hitText({ page, title, heading, line }: Hit): string {
  return [heading === '' ? title : `${title} > ${heading}`, `  ${line}`, `  npx svc docs ${page}`].join('\n')
}

/** The tables `| code | where | meaning | what to do |`, each under the heading of its package. */
function codeRows(text: string): CodeRow[] {
  return text.split(/^## /m).flatMap((section) => {
    const owner = section.split('\n', 1)[0] ?? ''
    return [...section.matchAll(/^\| `(SVC_[^`]+)` \|([^|]*)\|((?:[^|]|\\\|)*)\|((?:[^|]|\\\|)*)\|$/gm)].map(
      ([, code = '', where = '', meaning = '', fix = '']) => {
        const [first, second, third] = [where, meaning, fix].map(plain)
        return { code, owner, where: first ?? '', meaning: second ?? '', fix: third ?? '' }
      }
    )
  })
}

/** Without the marks of Markdown; a link to a page is the command that prints it. */
function plain(cell: string): string {
  return cell
    .trim()
    .replace(/\[[^\]]*\]\((?:[^)]*\/)?([\w-]+)\.md[^)]*\)/g, 'npx svc docs $1')
    .replaceAll('\\|', '|')
}

/** `SVC_HTTP_418` is of the form `SVC_HTTP_<status>`. */
function isFormOf(topic: string, { code }: CodeRow): boolean {
  return code.includes('<') && new RegExp(`^${code.replace(/<\w+>/g, '\\w+')}$`, 'i').test(topic)
}

function explanation(row: CodeRow, pages: readonly Page[]): Answer {
  const { code, owner, where, meaning, fix } = row
  const naming = pages.filter(({ name, text }) => name !== 'errors' && !OF_A_VERSION.test(name) && text.includes(code))
  const more = naming.map(({ name }) => `npx svc docs ${name}`)
  const lines = [`from: ${owner}`, `where: ${where}`, `meaning: ${meaning}`, `fix: ${fix}`]
  return {
    text: [code, ...lines, ...more.map((each) => `more: ${each}`)].join('\n  '),
    json: { ...row, more }
  }
}

function list(pages: readonly Page[], codes: readonly CodeRow[]): Answer {
  const tables = [
    textTable(
      ['PAGE', 'TITLE'],
      pages.map(({ name, title }) => [name, title])
    ),
    textTable(
      ['CODE', 'MEANING'],
      codes.map(({ code, meaning }) => [code, meaning])
    ),
    'npx svc docs <page> prints a page, npx svc docs <code> explains an error code, npx svc docs <words> searches.'
  ]
  return {
    text: tables.join('\n\n'),
    json: { pages: pages.map(({ name, title }) => ({ name, title })), codes }
  }
}

function nearest(topic: string, pages: readonly Page[], codes: readonly CodeRow[]): string | undefined {
  return nearestName(topic, [...pages.map(({ name }) => name), ...codes.map(({ code }) => code)])
}

function unknown(topic: string, near: string | undefined) {
  return {
    code: 'SVC_DOCS_UNKNOWN',
    message: `no page, error code or text matches "${topic}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    got: topic,
    expected: 'a page, a code that begins with SVC_, or words that a page has',
    fix: near === undefined ? 'npx svc docs' : `npx svc docs ${near}`
  }
}
