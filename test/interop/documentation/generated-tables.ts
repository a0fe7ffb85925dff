/**
 * The tables of the documentation that are written from the sources. On a page, such a table lies between
 * `<!-- options svc-audit -->`, with the names of the options to show where not all are shown,
 * `<!-- errors svc-audit -->`, `<!-- names -->`, `<!-- neighbours -->`, `<!-- promises -->`, or `<!-- bench:costs -->` and other parts of
 * the summary of the benchmarks, and `<!-- end -->`.
 */
import { readFileSync } from 'node:fs'
import { pluginMeta } from 'svc-kernel/plugin'
import { declaredCodes } from '../../architecture/declared-codes.ts'
import { exportsOf } from '../../architecture/exported-names.ts'
import { PACKAGE_SOURCES, packageNames, readFiles } from '../../architecture/repository.ts'
import { SUMMARY_FILE, type Summary, summaryPart } from '../../bench/summary/summary.ts'
import { optionComments } from './option-comments.ts'
import { type OptionRow, optionRows } from './option-rows.ts'
import { promiseTables } from './promise-tables.ts'
import { inRepository } from './repository.ts'

const REGION =
  /^<!-- (options|errors|names|neighbours|promises|bench:[a-z]+)((?: [A-Za-z0-9.-]+)*) -->\n[\s\S]*?^<!-- end -->$/gm

/** The text of a page, with its generated tables as the sources say. */
export async function withGeneratedTables(text: string): Promise<string> {
  const parts: string[] = []
  let end = 0
  for (const { 0: region, 1: kind = '', 2: words = '', index } of text.matchAll(REGION)) {
    const [owner = '', ...names] = words.split(' ').filter(Boolean)
    const table = await tableOf(kind, owner, names)
    parts.push(text.slice(end, index), `<!-- ${kind}${words} -->\n\n${table}\n\n<!-- end -->`)
    end = index + region.length
  }
  return [...parts, text.slice(end)].join('')
}

async function tableOf(kind: string, owner: string, names: readonly string[]): Promise<string> {
  if (kind === 'names') return nameCounts()
  if (kind === 'neighbours') return neighbourTable()
  if (kind === 'errors') return errorTable(owner)
  if (kind.startsWith('bench:')) return benchPart(kind.slice('bench:'.length))
  if (kind === 'promises') return promiseTables(table)
  return optionTable((await optionsOf(owner)).filter(({ path }) => isShown(path, names)))
}

/** The options of a plugin; none for a package that is no plugin, such as the command line. */
export async function optionsOf(plugin: string): Promise<OptionRow[]> {
  const entry: { default?: unknown } = await import(plugin)
  if (typeof entry.default !== 'function') return []
  const declaration = readFileSync(inRepository(`plugins/${plugin}/dist/src/options.d.ts`), 'utf8')
  return optionRows(pluginMeta(entry.default).optionsSchema ?? {}, optionComments(declaration))
}

function isShown(path: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => path === name || path.startsWith(`${name}.`))
}

function optionTable(rows: readonly OptionRow[]): string {
  return table(
    ['option', 'type', 'default', 'meaning'],
    rows.map(({ path, type, fallback, meaning }) => [
      `\`${path}\``,
      `\`${type}\``,
      fallback === 'required' || fallback === 'none' ? fallback : `\`${fallback}\``,
      meaning
    ])
  )
}

/** Doc comments name pages from the root of the repository; the table is on a page of `docs/reference`. */
function errorTable(owner: string): string {
  const linked = (text: string) => text.replace(/\bdocs\/([\w/-]+\.md(?:#[\w-]+)?)/g, '[docs/$1](../$1)')
  return table(
    ['code', 'where', 'meaning', 'what to do'],
    declaredCodes(readFiles(...PACKAGE_SOURCES))
      .filter((declared) => declared.owner === owner)
      .map(({ code, where, meaning, fix }) => [`\`${code}\``, where, linked(meaning), linked(fix)])
  )
}

/** How many names the main entries export, the most first. */
function nameCounts(): string {
  const counts = packageNames()
    .map((name) => ({ name, count: exportsOf(inRepository(`plugins/${name}/src/index.ts`)).size }))
    .sort((one, other) => other.count - one.count)
  const whole = counts.reduce((sum, { count }) => sum + count, 0)
  return `${whole} names: ${counts.map(({ name, count }) => `${name} ${count}`).join(', ')}.`
}

function benchPart(part: string): string {
  return summaryPart(part, JSON.parse(readFileSync(inRepository(SUMMARY_FILE), 'utf8')) as Summary)
}

/** Loaded for this table alone: it brings every plugin that is run beside ours. */
async function neighbourTable(): Promise<string> {
  const { NEIGHBOURS } = await import('../neighbours/every-neighbour.ts')
  const { ORDERS } = await import('../neighbours/neighbour.ts')
  const rows = NEIGHBOURS.map(({ name, clash, note }) => {
    const { version } = JSON.parse(readFileSync(inRepository(`node_modules/${name}/package.json`), 'utf8'))
    const outcomes = ORDERS.map((order) => (clash?.orders.includes(order) === true ? 'with an option' : 'works'))
    return [`\`${name}\``, String(version), ...outcomes, note]
  })
  return table(['plugin', 'version', 'before svc', 'after svc', 'in a scope', 'note'], rows)
}

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
