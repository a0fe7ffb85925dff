/** `svc docs`: the documentation that comes with this command, offline: the list of it, a page, or one error code. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { nearestName } from 'svc-kernel'
import { shippedFolder } from '../application/package-links.ts'
import { CommandError } from '../errors.ts'
import { print, textTable } from '../output.ts'

interface Page {
  /** As it is asked for: the name of its file, or of the package whose README it is. */
  readonly name: string
  readonly title: string
  readonly text: string
}

/** A row of the reference of error codes. */
interface CodeRow {
  readonly code: string
  /** Of the package that declares it. */
  readonly owner: string
  readonly where: string
  readonly meaning: string
  readonly fix: string
}

/** Pages that list what changed; they explain no error. */
const OF_A_VERSION = /^changelog$|-\d+\.\d+\.\d+$/

/** @param topic a code, such as `SVC_PORT_BUSY`, or a page. @throws CommandError SVC_DOCS_UNKNOWN */
export function docs(topic: string | undefined): void {
  const pages = readPages()
  const codes = codeRows(pages.find(({ name }) => name === 'errors')?.text ?? '')
  if (topic === undefined) {
    list(pages, codes)
    return
  }
  const name = topic.replace(/^.*\//, '').replace(/\.md$/, '')
  const page = pages.find((each) => each.name === name)
  if (page !== undefined) {
    print(page.text.trimEnd())
    return
  }
  const row = codes.find(({ code }) => code === topic.toUpperCase()) ?? codes.find((each) => isFormOf(topic, each))
  if (row === undefined) throw new CommandError(unknown(topic, pages, codes), 2)
  print(explanation(row, pages))
}

function readPages(): Page[] {
  const root = dirname(shippedFolder('docs'))
  const paths = globSync(['CHANGELOG.md', 'docs/{guides,reference}/*.md', 'docs/*.md', 'plugins/*/README.md'], {
    cwd: root
  })
  return paths.sort().map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const file = basename(path, '.md')
    return {
      name: file === 'README' ? (path.split(sep)[1] ?? '') : file.toLowerCase(),
      title: /^# (.+)$/m.exec(text)?.[1] ?? '',
      text
    }
  })
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

function explanation({ code, owner, where, meaning, fix }: CodeRow, pages: readonly Page[]): string {
  const naming = pages.filter(({ name, text }) => name !== 'errors' && !OF_A_VERSION.test(name) && text.includes(code))
  const more = naming.map(({ name }) => `  more: npx svc docs ${name}`)
  return [code, `  from: ${owner}`, `  where: ${where}`, `  meaning: ${meaning}`, `  fix: ${fix}`, ...more].join('\n')
}

function list(pages: readonly Page[], codes: readonly CodeRow[]): void {
  print(
    textTable(
      ['PAGE', 'TITLE'],
      pages.map(({ name, title }) => [name, title])
    )
  )
  print(
    `\n${textTable(
      ['CODE', 'MEANING'],
      codes.map(({ code, meaning }) => [code, meaning])
    )}`
  )
  print('\nnpx svc docs <page> prints a page, npx svc docs <code> explains an error code.')
}

function unknown(topic: string, pages: readonly Page[], codes: readonly CodeRow[]) {
  const names = [...pages.map(({ name }) => name), ...codes.map(({ code }) => code)]
  const near = nearestName(topic, names)
  return {
    code: 'SVC_DOCS_UNKNOWN',
    message: `there is no page and no error code "${topic}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    got: topic,
    expected: 'the name of a page, or a code that begins with SVC_',
    fix: near === undefined ? 'npx svc docs' : `npx svc docs ${near}`
  }
}
