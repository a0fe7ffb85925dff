/** Error codes in the sources against their declarations and against the reference page, both ways. */
import { DECLARATION_FILES, type DeclaredCode, declaredCodes } from './declared-codes.ts'
import { type Finding, lineAt } from './finding.ts'
import { type MaskedSource, maskSource } from './mask-source.ts'
import type { SourceFile } from './repository.ts'

const CODE = /\bSVC_[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g

/** Names of the same form that are environment variables, not codes. */
export const ENVIRONMENT_NAMES: ReadonlySet<string> = new Set([
  'SVC_WEBHOOK_KEY',
  'SVC_EVENT_KEY',
  'SVC_DATABASE_URL',
  'SVC_API_KEY'
])

export function errorCodeFindings(sources: readonly SourceFile[], page: SourceFile): Finding[] {
  const used = new Map(sources.flatMap(codesOf).map((finding) => [finding.code, finding]))
  const documented = documentedCodes(page)
  const undocumented = [...used.values()].filter(({ code }) => !documented.has(code))
  const unused = [...documented].filter(([code]) => !used.has(code))
  return [
    ...undocumented.map(({ path, line, code }) => ({
      path,
      line,
      problem: `uses ${code}, which ${page.path} does not list`,
      fix: 'add a row for it'
    })),
    ...unused.map(([code, line]) => ({
      path: page.path,
      line,
      problem: `lists ${code}, which no source uses`,
      fix: 'remove the row, or correct the code'
    }))
  ]
}

const masks = new WeakMap<SourceFile, MaskedSource>()

function masked(file: SourceFile): MaskedSource {
  const mask = masks.get(file) ?? maskSource(file.text)
  masks.set(file, mask)
  return mask
}

function codesOf(file: SourceFile): { path: string; line: number; code: string }[] {
  return [...masked(file).withoutComments.matchAll(CODE)]
    .filter(([code]) => !ENVIRONMENT_NAMES.has(code))
    .map(({ 0: code, index }) => ({ path: file.path, line: lineAt(file.text, index), code }))
}

/** Codes in the first cell of a table row, with their lines. */
function documentedCodes(page: SourceFile): Map<string, number> {
  const rows = page.text
    .split('\n')
    .map((line, index) => ({ code: /^\|\s*`(SVC_[A-Z0-9_]+)`\s*\|/.exec(line)?.[1], line: index + 1 }))
  return new Map(rows.flatMap(({ code, line }) => (code === undefined ? [] : [[code, line] as const])))
}

/** Each code is declared once, with a doc comment that says what it means; what is declared is raised somewhere. */
export function declarationFindings(sources: readonly SourceFile[]): Finding[] {
  const declared = declaredCodes(sources)
  const raising = sources.filter(({ path }) => !DECLARATION_FILES.test(path))
  const known = new Map(declared.map((declaration) => [declaration.code, declaration]))
  const used = raising.flatMap(codesOf)
  const codes = new Set(used.map(({ code }) => code))
  const words = new Set(raising.flatMap((file) => masked(file).code.match(/\w+/g) ?? []))
  const isRaised = ({ code, name }: DeclaredCode) =>
    name === null ? codes.has(code) || code.includes('<') : words.has(name)
  return [
    ...declared
      .filter((declaration) => known.get(declaration.code) !== declaration)
      .map((twice) => finding(twice, 'is declared twice', 'declare it in the lowest package that raises it')),
    ...declared
      .filter(({ where }) => where === '')
      .map((bare) => finding(bare, 'does not say what it means', 'comment it as "<where>: <meaning>. Fix: <remedy>."')),
    ...declared
      .filter((declaration) => !isRaised(declaration))
      .map((idle) => finding(idle, 'is declared and never raised', 'remove the declaration')),
    ...used
      .filter(({ code }) => !known.has(code))
      .map((stray) => finding(stray, 'is not declared', 'declare it in errors.ts or problem-codes.ts of its package')),
    ...raising
      .filter((file) => /\b(?:createError|expectedError)\b[^;\n]*\(/.test(masked(file).code))
      .map(({ path }) => ({ path, line: 0, problem: 'makes an error class', fix: 'declare it in errors.ts' }))
  ]
}

function finding(
  { path, line, code }: Pick<DeclaredCode, 'path' | 'line' | 'code'>,
  what: string,
  fix: string
): Finding {
  return { path, line, problem: `${code} ${what}`, fix }
}
