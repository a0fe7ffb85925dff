/** Reads what the documentation tests need from a Markdown page: code blocks, links, headings, tables. Pure. */

/** A fenced code block. */
export interface CodeBlock {
  /** First word of the info string, such as `ts` or `bash`; empty when there is none. */
  readonly language: string
  /** The other words of the info string, such as `run` or `file=env.ts`. */
  readonly words: readonly string[]
  /** Line of the first line of code, counted from 1. */
  readonly line: number
  readonly code: string
}

export interface Link {
  readonly target: string
  readonly line: number
}

export interface MarkdownPage {
  readonly path: string
  readonly blocks: readonly CodeBlock[]
  readonly links: readonly Link[]
  /** What may stand behind `#` in a link to this page. */
  readonly anchors: ReadonlySet<string>
  /** The page without its code blocks, line for line. */
  readonly prose: readonly string[]
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/

export function readPage(path: string, text: string): MarkdownPage {
  const blocks: CodeBlock[] = []
  const prose: string[] = []
  let open: { fence: string; info: string; line: number; code: string[] } | null = null
  text.split(/\r?\n/).forEach((line, index) => {
    const [, fence, info = ''] = FENCE.exec(line) ?? []
    if (open === null) {
      if (fence !== undefined) open = { fence, info, line: index + 2, code: [] }
      prose.push(fence === undefined ? line : '')
      return
    }
    prose.push('')
    if (fence?.startsWith(open.fence) && info === '') {
      const [language = '', ...words] = open.info.split(/\s+/).filter(Boolean)
      blocks.push({ language, words, line: open.line, code: open.code.join('\n') })
      open = null
    } else open.code.push(line)
  })
  return { path, blocks, links: linksIn(prose), anchors: anchorsOf(prose), prose }
}

function linksIn(prose: readonly string[]): Link[] {
  return prose.flatMap((text, index) =>
    [...text.replace(/`[^`]*`/g, '').matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, target = '']) => ({
      target,
      line: index + 1
    }))
  )
}

/** Anchors as GitHub makes them: lower case, punctuation dropped, spaces to hyphens, repeats numbered. */
function anchorsOf(prose: readonly string[]): Set<string> {
  const anchors = new Set<string>()
  for (const line of prose) {
    const title = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (title === undefined) continue
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let name = slug
    for (let repeat = 1; anchors.has(name); repeat += 1) name = `${slug}-${repeat}`
    anchors.add(name)
  }
  return anchors
}

/** Rows of the tables below the heading of this title, up to the next heading of the same or a higher level. */
export function tableRowsUnder(page: MarkdownPage, title: string): { cells: readonly string[]; line: number }[] {
  const start = page.prose.findIndex((line) => line.replace(/^#+\s+/, '') === title && line.startsWith('#'))
  if (start === -1) return []
  const level = /^#+/.exec(page.prose[start] ?? '')?.[0].length ?? 1
  const rows: { cells: readonly string[]; line: number }[] = []
  for (let index = start + 1; index < page.prose.length; index += 1) {
    const line = page.prose[index] ?? ''
    const heading = /^(#+)\s/.exec(line)?.[1]
    if (heading !== undefined && heading.length <= level) break
    if (line.startsWith('|') && !/^\|[\s:|-]+\|$/.test(line)) rows.push({ cells: cellsOf(line), line: index + 1 })
  }
  return rows
}

/** A `|` inside a cell is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}
